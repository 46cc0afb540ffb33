// Value types for AssemblyScript, which has none: a transform of the compiler (asconfig.json, "transform").
//
// A class with the decorator @value is a value of a few fields, numbers or values again:
//   @value export class VectorW { constructor(public x: v128, public y: v128, public z: v128) {} }
// No object is ever made of it. What the sources say of values is brought to their fields before the compiler sees it:
// - A local or parameter `v` becomes the locals or parameters v$x, v$y, v$z.
// - A function that returns a value becomes one function a field (cross$x, cross$y, cross$z), each with the constants and
//   the parameters that its field needs, no others, expanded where it is called (@inline). So `dot(cross(a, b), c)` compiles
//   to what one would write by hand.
//   Such a function is a formula: constants, then one return. It has no effects, and nor have the arguments of its calls.
// - `v = f(v)` finds all fields first and then writes them; v.x = y writes one.
// What this cannot do is an error of the compiler at its place in the source: values as a whole in arrays, fields of other
// classes, methods, type arguments, results of functions with branches. Types of locals and parameters must be written.
import * as compiler from 'assemblyscript';

/** @type {any} its types have the enums as constants that only TypeScript may read */
const { CommonFlags, DiagnosticCode, Node, NodeKind, Token } = compiler;

/** A node like `node`, with what `visit` gives for each node in it; a list may get none or several for one. */
function copyWith(node, visit) {
  const copy = Object.create(Object.getPrototypeOf(node));
  for (const [key, x] of Object.entries(node)) {
    if (x instanceof Node && key !== 'range') copy[key] = visit(x);
    else if (Array.isArray(x)) copy[key] = x.flatMap((item) => (item instanceof Node ? visit(item) : [item]));
    else copy[key] = x;
  }
  return copy;
}
const copyOf = (node) => copyWith(node, copyOf);
/** The name of a number in the value `name`. */
const joined = (name, path) => [name, ...path].join('$');
const identifier = (text, range) => Node.createIdentifierExpression(text, range);

/** Names that an expression reads, into a set. */
function addNames(node, names) {
  if (node.kind === NodeKind.Identifier) names.add(node.text);
  copyWith(node, (child) => {
    if (node.kind !== NodeKind.PropertyAccess || child !== node.property) addNames(child, names);
    return child;
  });
}

/** Locals by name: the class of a value, null where it is none. */
class Scope {
  constructor(outer) {
    this.outer = outer;
    this.names = new Map();
  }
  find(name) {
    return this.names.has(name) ? this.names.get(name) : this.outer?.find(name);
  }
}

/** A class of values: its fields in the order of the constructor. */
class ValueClass {
  constructor(file, node) {
    this.file = file;
    this.name = node.name.text;
    this.typeParameters = (node.typeParameters ?? []).map((parameter) => parameter.name.text);
    this.fields = node.members.filter((member) => member.kind === NodeKind.FieldDeclaration);
    const others = node.members.filter((member) => !this.fields.includes(member) && member.name.text !== 'constructor');
    for (const member of others) file.error(member, `@value class ${this.name} has fields only; write functions beside it`);
  }
  /** The class of a field that is a value; null of a number, undefined if there is no such field. */
  classOf(field) {
    const node = this.fields.find((f) => f.name.text === field);
    return node && this.file.valueClass(node.type);
  }
  /** Numbers in a value of the type `type`: the path of fields to each, and its type. */
  leaves(type) {
    const given = new Map(this.typeParameters.map((name, i) => [name, type.typeArguments?.[i]]));
    const filled = (node) => given.get(node.name?.identifier.text) ?? copyWith(node, (x) => (x.name ? filled(x) : copyOf(x)));
    return this.fields.flatMap((field) => {
      const fieldType = filled(field.type),
        nested = this.file.valueClass(field.type);
      if (!nested) return [{ path: [field.name.text], type: fieldType }];
      return nested.leaves(fieldType).map((leaf) => ({ path: [field.name.text, ...leaf.path], type: leaf.type }));
    });
  }
}

/** The function of a field while it is being made. */
const OPEN = { taken: [], declaration: null };

/** A function that takes or returns values. */
class ValueFunction {
  constructor(file, node) {
    this.file = file;
    this.node = node;
    this.name = node.name.text;
    this.returns = file.valueClass(node.signature.returnType);
    this.made = new Map();
  }
  get isOfValues() {
    return this.returns !== null || this.node.signature.parameters.some((p) => this.file.valueClass(p.type) !== null);
  }
  /** Paths of the numbers in the result. */
  get paths() {
    return this.returns.leaves(this.node.signature.returnType).map((leaf) => leaf.path);
  }
  /** Parameters as numbers: place in the list, path within a value, node. */
  get numbers() {
    return this.node.signature.parameters.flatMap((p, at) => {
      const cls = this.file.valueClass(p.type);
      if (!cls) return [{ at, path: [], node: copyOf(p) }];
      return cls.leaves(p.type).map(({ path, type }) => {
        const name = identifier(joined(p.name.text, path), p.range);
        return { at, path, node: Node.createParameter(p.parameterKind, name, copyOf(type), null, p.range) };
      });
    });
  }
  scope() {
    const scope = new Scope(null);
    for (const p of this.node.signature.parameters) scope.names.set(p.name.text, this.file.valueClass(p.type));
    return scope;
  }
  /** The declaration with other parameters, body and, for a field of the result, name and type. */
  declare(numbers, body, path = [], type = this.node.signature.returnType) {
    const { flags, typeParameters, arrowKind, range } = this.node;
    const inline = path.length ? [Node.createDecorator(identifier('inline', range), null, range)] : [];
    const decorators = [...(this.node.decorators ?? []), ...inline];
    const parameters = numbers.map((number) => number.node);
    const signature = Node.createFunctionType(parameters, copyOf(type), null, false, range);
    const name = identifier(joined(this.name, path), this.node.name.range);
    return Node.createFunctionDeclaration(name, decorators, flags, typeParameters, signature, body, arrowKind, range);
  }
  /** The function of one field of the result: its declaration, the parameters that it takes. */
  field(path) {
    const key = path.join('$'),
      { file, node } = this;
    if (this.made.get(key) === OPEN) file.error(node, `${this.name} calls itself; a function that returns a value is a formula`);
    if (!this.made.has(key)) {
      this.made.set(key, OPEN);
      const leaf = this.returns.leaves(node.signature.returnType).find((l) => l.path.join('$') === key);
      this.made.set(key, this.make(path, leaf.type));
    }
    return this.made.get(key);
  }
  make(path, type) {
    const { file, node } = this;
    const statements = node.body.statements,
      last = statements.at(-1),
      scope = this.scope(),
      locals = [];
    for (const statement of statements.slice(0, -1)) {
      const constant = statement.kind === NodeKind.Variable && statement.declarations.every((d) => d.flags & CommonFlags.Const);
      if (constant) locals.push(...statement.declarations.flatMap((d) => file.declareLocal(d, scope)));
      else file.error(statement, `${this.name} returns a value: it has constants and one return, no other statements`);
    }
    if (last?.kind !== NodeKind.Return || !last.value) {
      file.error(node, `${this.name} returns a value: its last statement is the return`);
      return { taken: [], declaration: null };
    }
    // From the result backwards: what it needs.
    const names = new Set(),
      result = file.field(last.value, path, scope, this.returns);
    addNames(result, names);
    const body = [Node.createReturnStatement(result, last.range)];
    for (const local of locals.reverse()) {
      if (!names.has(local.name.text)) continue;
      addNames(local.initializer, names);
      body.unshift(Node.createVariableStatement(null, [local], local.range));
    }
    const taken = this.numbers.filter((number) => names.has(number.node.name.text));
    const block = Node.createBlockStatement(body, node.body.range);
    return { taken, declaration: this.declare(taken, block, path, type) };
  }
}

/** A source file: what it declares and imports, and the rewriting of its nodes. */
class File {
  constructor(source, files, parser) {
    this.source = source;
    this.files = files;
    this.parser = parser;
    this.classes = new Map();
    this.functions = new Map();
    this.imports = new Map();
    this.told = new Set();
    for (const statement of source.statements) {
      if (statement.kind !== NodeKind.Import) continue;
      for (const d of statement.declarations ?? [])
        this.imports.set(d.name.text, { path: statement.internalPath, name: d.foreignName.text });
    }
  }
  /** Tells an error once, however many numbers of a value it is found for. */
  error(node, message) {
    const key = `${node.range.start} ${message}`;
    if (!this.told.has(key)) this.parser.error(DiagnosticCode.User_defined_0, node.range, message);
    this.told.add(key);
  }
  declareClasses() {
    for (const node of this.source.statements)
      if (isValueClass(node)) this.classes.set(node.name.text, new ValueClass(this, node));
  }
  declareFunctions() {
    for (const node of this.source.statements) {
      if (node.kind !== NodeKind.FunctionDeclaration) continue;
      const fn = new ValueFunction(this, node);
      if (fn.isOfValues) this.functions.set(fn.name, fn);
    }
  }
  /** What a name of this file means among the classes or the functions of values; null if it is none. */
  find(kind, name) {
    const from = this.imports.get(name);
    if (!from) return this[kind].get(name) ?? null;
    const file = this.files.get(from.path) ?? this.files.get(`${from.path}/index`);
    return file?.[kind].get(from.name) ?? null;
  }
  valueClass(type) {
    return type?.kind === NodeKind.NamedType && !type.name.next ? this.find('classes', type.name.identifier.text) : null;
  }
  /** The function of values that a call calls. */
  callee(call, scope) {
    const { expression } = call;
    const isFree = expression.kind === NodeKind.Identifier && scope?.find(expression.text) === undefined;
    return isFree ? this.find('functions', expression.text) : null;
  }
  /** The class of an expression; null where it is no value. */
  classOf(node, scope) {
    switch (node.kind) {
      case NodeKind.Identifier:
        return scope?.find(node.text) ?? null;
      case NodeKind.Parenthesized:
        return this.classOf(node.expression, scope);
      case NodeKind.New:
        return this.find('classes', node.typeName.identifier.text);
      case NodeKind.Call:
        return this.callee(node, scope)?.returns ?? null;
      case NodeKind.PropertyAccess:
        return this.classOf(node.expression, scope)?.classOf(node.property.text) ?? null;
      case NodeKind.Ternary:
        return this.classOf(node.ifThen, scope);
      default:
        return null;
    }
  }
  /** A number in a value, as an expression; `expected`: the class that the value must have. */
  field(node, path, scope, expected = undefined) {
    const cls = this.classOf(node, scope);
    if (!cls || (expected && cls !== expected)) {
      this.error(node, `${expected?.name ?? 'A value'} is expected, not ${cls?.name ?? 'a number'}`);
      return copyOf(node);
    }
    const { range } = node,
      [first, ...rest] = path;
    switch (node.kind) {
      case NodeKind.Identifier:
        return identifier(joined(node.text, path), range);
      case NodeKind.Parenthesized:
        return this.field(node.expression, path, scope);
      case NodeKind.New: {
        const arg = node.args[cls.fields.findIndex((f) => f.name.text === first)];
        if (node.args.length !== cls.fields.length) this.error(node, `${cls.name} has ${cls.fields.length} fields`);
        if (!arg) return copyOf(node);
        return rest.length ? this.field(arg, rest, scope, cls.classOf(first)) : this.rewrite(arg, scope);
      }
      case NodeKind.Call: {
        const fn = this.callee(node, scope);
        const args = this.args(fn, fn.field(path).taken, node, scope);
        return Node.createCallExpression(identifier(joined(node.expression.text, path), range), node.typeArguments, args, range);
      }
      case NodeKind.PropertyAccess:
        return this.field(node.expression, [node.property.text, ...path], scope);
      default: {
        const [ifThen, ifElse] = [node.ifThen, node.ifElse].map((x) => this.field(x, path, scope, cls));
        return Node.createTernaryExpression(this.rewrite(node.condition, scope), ifThen, ifElse, range);
      }
    }
  }
  /** Arguments of a call for those parameters, as numbers, that are taken. */
  args(fn, taken, call, scope) {
    const { parameters } = fn.node.signature;
    const least = fn.returns ? parameters.length : parameters.filter((p) => !p.initializer).length;
    if (call.args.length < least || call.args.length > parameters.length)
      this.error(call, `${fn.name} takes ${parameters.length} arguments, not ${call.args.length}`);
    return taken.flatMap(({ at, path }) => {
      const arg = call.args[at];
      if (!arg) return [];
      return [path.length ? this.field(arg, path, scope, fn.file.valueClass(parameters[at].type)) : this.rewrite(arg, scope)];
    });
  }
  /** A declaration of a local as those of its numbers. The name is known from here on. */
  declareLocal(node, scope) {
    const { decorators, flags, range, type } = node,
      cls = this.valueClass(type);
    if (!cls) {
      const copy = copyWith(node, (child) => (child === node.name ? child : this.rewrite(child, scope)));
      scope?.names.set(node.name.text, null);
      return [copy];
    }
    if (!scope || !node.initializer) this.error(node, `${cls.name}: a value is a local and has an initial value`);
    const numbers = !node.initializer
      ? []
      : cls.leaves(type).map((leaf) => {
          const value = this.field(node.initializer, leaf.path, scope, cls);
          const name = identifier(joined(node.name.text, leaf.path), node.name.range);
          return Node.createVariableDeclaration(name, decorators, flags, copyOf(leaf.type), value, range);
        });
    scope?.names.set(node.name.text, cls);
    return numbers;
  }
  /** A value is given another: all numbers are found, then written. */
  assign(node, cls, scope) {
    const { left, right, range } = node;
    const paths = cls.leaves({ typeArguments: null }).map((leaf) => leaf.path);
    const fresh = paths.map((path) => identifier(joined('new', path), range));
    const found = paths.map((path, i) => {
      const value = this.field(right, path, scope, cls);
      return Node.createVariableDeclaration(fresh[i], null, CommonFlags.Const, null, value, range);
    });
    const written = paths.map((path, i) => {
      const target = this.field(left, path, scope);
      return Node.createExpressionStatement(Node.createBinaryExpression(Token.Equals, target, copyOf(fresh[i]), range));
    });
    return Node.createBlockStatement([Node.createVariableStatement(null, found, range), ...written], range);
  }
  /** A node without values. Statements of a list may become several, or none. */
  rewrite(node, scope) {
    const inside = (next) => copyWith(node, (child) => this.rewrite(child, next));
    const cls = this.classOf(node, scope);
    if (cls) {
      this.error(node, `${cls.name} is a value: it cannot be used here as a whole`);
      return copyOf(node);
    }
    switch (node.kind) {
      case NodeKind.NamedType: {
        const type = this.valueClass(node);
        if (type) this.error(node, `${type.name} is a value: it cannot be the type of this`);
        return inside(scope);
      }
      case NodeKind.Identifier:
        if (scope && scope.find(node.text) === undefined && this.find('functions', node.text))
          this.error(node, `${node.text} takes or returns values: it can only be called`);
        return copyOf(node);
      case NodeKind.PropertyAccess: {
        const base = this.classOf(node.expression, scope);
        if (base && base.classOf(node.property.text) === undefined)
          this.error(node.property, `${base.name} has no field ${node.property.text}`);
        else if (base) return this.field(node.expression, [node.property.text], scope);
        return copyWith(node, (child) => (child === node.property ? child : this.rewrite(child, scope)));
      }
      case NodeKind.Call: {
        const fn = this.callee(node, scope);
        if (!fn) return inside(scope);
        return Node.createCallExpression(node.expression, node.typeArguments, this.args(fn, fn.numbers, node, scope), node.range);
      }
      case NodeKind.Variable:
        return copyWith(node, (child) => (child.kind === NodeKind.VariableDeclaration ? this.declareLocal(child, scope) : child));
      case NodeKind.Expression: {
        const { expression } = node;
        const isAssignment = expression.kind === NodeKind.Binary && expression.operator === Token.Equals;
        const target = isAssignment ? this.classOf(expression.left, scope) : null;
        return target ? this.assign(expression, target, scope) : inside(scope);
      }
      case NodeKind.Block:
      case NodeKind.For:
      case NodeKind.ForOf:
        return inside(scope && new Scope(scope));
      case NodeKind.FunctionDeclaration: {
        const fn = this.functions.get(node.name.text) ?? new ValueFunction(this, node);
        if (fn.returns) return fn.paths.flatMap((path) => fn.field(path).declaration ?? []);
        const body = node.body && this.rewrite(node.body, fn.scope());
        return fn.declare(fn.numbers, body);
      }
      case NodeKind.ClassDeclaration:
        return isValueClass(node) ? [] : inside(scope);
      case NodeKind.MethodDeclaration:
        return inside(new Scope(null));
      case NodeKind.Import:
        return copyWith(node, (child) => (child.kind === NodeKind.ImportDeclaration ? this.importOf(child) : child));
      default:
        return inside(scope);
    }
  }
  /** An import of a value class is none, that of a function that returns values one a field. */
  importOf(node) {
    if (this.find('classes', node.name.text)) return [];
    const fn = this.find('functions', node.name.text);
    if (!fn?.returns) return [node];
    return fn.paths.map((path) => {
      const [foreign, local] = [node.foreignName, node.name].map((name) => identifier(joined(name.text, path), node.range));
      return Node.createImportDeclaration(foreign, local, node.range);
    });
  }
  get usesValues() {
    const isKnown = (name) => this.find('classes', name) || this.find('functions', name);
    return this.classes.size + this.functions.size > 0 || [...this.imports.keys()].some(isKnown);
  }
}

function isValueClass(node) {
  return node.kind === NodeKind.ClassDeclaration && (node.decorators ?? []).some((d) => d.name.text === 'value');
}

export default class ValueTypes {
  /** The hook of the compiler: all sources have been parsed, nothing has been resolved. */
  afterParse(parser) {
    const files = new Map();
    for (const source of parser.sources) if (!source.isLibrary) files.set(source.internalPath, new File(source, files, parser));
    for (const file of files.values()) file.declareClasses();
    for (const file of files.values()) file.declareFunctions();
    const used = [...files.values()].filter((file) => file.usesValues);
    for (const file of used) file.source.statements = file.source.statements.flatMap((s) => file.rewrite(s, null));
  }
}
