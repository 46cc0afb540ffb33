// The tools that hands may hold (hands.ts): what they are called, and their keys.
export const TOOLS = ['drag', 'ball', 'box', 'build', 'explode', 'delete'] as const;
export type Tool = (typeof TOOLS)[number];
export const TOOL_TEXT: Record<Tool, { label: string; title: string; key: string }> = {
  drag: { label: 'Drag', title: 'Pull a body by a soft joint', key: 'D' },
  ball: { label: 'Ball', title: 'Throw a ball', key: 'B' },
  box: { label: 'Box', title: 'Throw a box', key: 'N' },
  build: { label: 'Build', title: 'Put a box down', key: 'C' },
  explode: { label: 'Explode', title: 'Push everything away', key: 'E' },
  delete: { label: 'Delete', title: 'Remove a body', key: 'X' },
};
