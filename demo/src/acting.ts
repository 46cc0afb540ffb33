// What scenes do by themselves, and what walks and drives in them: loaded with the first scene that needs it.
export { actOf } from '../../scenes/acts';
export * as controllers from '../../src/controllers/index';
