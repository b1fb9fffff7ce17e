import { parseSync } from 'vite'

/**
 * A place in a source where one-line changes are possible.
 * @typedef {object} Place
 * @property {string} kind `comparison`, `arithmetic`, `bound`, `condition`, `logic`, `fallback`,
 * `negation`, `await`, `call` or `return`
 * @property {number} start
 * @property {number} end the text from start to end is replaced
 * @property {string[]} options what may be put there
 * @property {number} line from 1
 * @property {[number, number]} shown the part of the source that a person is shown
 */

const COMPARISONS = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
}
const ARITHMETIC = { '+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'], '+=': ['-='], '-=': ['+='] }
const LOGIC = { '&&': ['||'], '||': ['&&'] }

/** Node types whose value is their `expression`: the rest of them is a type. */
const CASTS = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSTypeAssertion'])
const IMPORTS = new Set(['ImportDeclaration', 'ExportAllDeclaration', 'ImportExpression'])
const TYPE_KEYS = new Set(['typeAnnotation', 'typeArguments', 'typeParameters', 'returnType', 'implements'])

const BOOLEAN_NAME = /^(is|has|can|are|was|were|should|may|must|needs)[A-Z]/
const BOOLEAN_CALL = /^(has|includes|some|every|test|startsWith|endsWith|isArray|isInteger)$/
const NUMBER_NAME =
  /(bytes|count|counts|files|folders|ms|ns|seconds|length|size|index|offset|blocks|sectors|volumes|at|sum|total)$/i
const NUMBER_OPERATORS = new Set(['-', '*', '/', '%', '**', '<<', '>>', '>>>', '&', '|', '^'])
/** A constant that only says how long something waits. */
const WAITING_NAME = /_(MS|SECONDS)$/

const MOST_SHOWN = 90

/**
 * Places where a TypeScript source can be changed, in their order. Types, imports, texts and code
 * that only makes messages have none.
 * @param {string} file its name, for the parser
 * @param {string} source
 * @returns {Place[]}
 * @throws Error when the source cannot be parsed
 */
export function placesIn(file, source) {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`cannot parse ${file}: ${errors[0].message}`)
  const found = []
  const lineOf = lines(source)
  const add = (kind, { start, end }, options, parents) => {
    const shown = shownOf(source, { start, end }, parents)
    found.push({ kind, start, end, options, line: lineOf(start), shown })
  }
  const descend = (value, parents) => {
    if (Array.isArray(value)) for (const item of value) descend(item, parents)
    if (!isNode(value)) return
    if (CASTS.has(value.type)) return descend(value.expression, parents)
    if (isLeftAlone(value)) return
    const around = [...parents, value]
    changesOf(value, parents, source, (kind, range, options) => add(kind, range, options, around))
    for (const [key, child] of Object.entries(value)) {
      if (typeof child !== 'object' || TYPE_KEYS.has(key)) continue
      if (key === 'key' && value.computed === false) continue
      descend(child, around)
    }
  }
  descend(program, [])
  return found.toSorted((one, other) => one.start - other.start || one.end - other.end)
}

/** True when a text can be parsed as the file's source. */
export function isParsed(file, source) {
  return parseSync(file, source).errors.length === 0
}

/** True for types, imports, and what only makes a message. */
function isLeftAlone(node) {
  if (node.type.startsWith('TS') && node.type !== 'TSParameterProperty') return true
  if (IMPORTS.has(node.type)) return true
  if (node.type === 'TaggedTemplateExpression') return nameOf(node.tag).startsWith('said')
  if (node.type === 'NewExpression') return nameOf(node.callee).endsWith('Error')
  return node.type === 'CallExpression' && /^said([A-Z]|$)/.test(nameOf(node.callee))
}

function changesOf(node, parents, source, add) {
  const textOf = ({ start, end }) => source.slice(start, end)
  const operatorOf = (left, right) => {
    const gap = source
      .slice(left.end, right.start)
      .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, (comment) => ' '.repeat(comment.length))
    const start = left.end + gap.indexOf(node.operator)
    return { start, end: start + node.operator.length }
  }
  switch (node.type) {
    case 'BinaryExpression': {
      const range = operatorOf(node.left, node.right)
      if (COMPARISONS[node.operator]) add('comparison', range, COMPARISONS[node.operator])
      else if (ARITHMETIC[node.operator] && isOfNumbers(node)) {
        add('arithmetic', range, ARITHMETIC[node.operator])
      }
      break
    }
    case 'AssignmentExpression':
      if (ARITHMETIC[node.operator] && isOfNumbers(node)) {
        add('arithmetic', operatorOf(node.left, node.right), ARITHMETIC[node.operator])
      }
      break
    case 'LogicalExpression':
      if (node.operator === '??') add('fallback', node, [textOf(node.left), textOf(node.right)])
      else add('logic', operatorOf(node.left, node.right), LOGIC[node.operator])
      break
    case 'Literal': {
      const options = isWaiting(parents) ? [] : boundsOf(node)
      if (options.length > 0) add('bound', node, options)
      break
    }
    case 'UnaryExpression':
      if (node.operator === '!' && parents.at(-1)?.operator !== '!') {
        add('negation', node, [textOf(node.argument)])
      }
      break
    case 'AwaitExpression':
      add('await', node, [textOf(node.argument)])
      break
    case 'IfStatement':
    case 'ConditionalExpression':
      add('condition', node.test, ['true', 'false'])
      break
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'ForStatement':
      // Always true would never end.
      if (node.test && !(node.test.type === 'Literal')) add('condition', node.test, ['false'])
      break
    case 'ExpressionStatement':
      if (isDroppedCall(node.expression)) add('call', node, [';'])
      break
    case 'ReturnStatement':
      if (node.argument) addInverted(node.argument, parents.findLast(isFunction))
      break
    case 'ArrowFunctionExpression':
      if (node.body.type !== 'BlockStatement') addInverted(node.body, node)
      break
    default:
  }

  function addInverted(value, around) {
    const inner = bare(value)
    // The inversion of these is a change of another kind already.
    if (inner.type === 'BinaryExpression' || (inner.type === 'UnaryExpression' && inner.operator === '!'))
      return
    if (inner.type === 'ConditionalExpression' || inner.type === 'AwaitExpression') return
    if (typeof inner.value === 'boolean') add('return', inner, [String(!inner.value)])
    else if (isBoolean(inner) || returnsBoolean(around)) add('return', value, [`!(${textOf(value)})`])
  }
}

/** The neighbours of a whole number, as text; none for other literals. */
function boundsOf({ value, raw }) {
  if (typeof value === 'bigint') return [`${value + 1n}n`, ...(value > 0n ? [`${value - 1n}n`] : [])]
  if (!Number.isInteger(value)) return []
  if (/^\d+$/.test(raw)) return value > 0 ? [String(value + 1), String(value - 1)] : ['1']
  return [`(${raw} + 1)`, `(${raw} - 1)`]
}

function isWaiting(parents) {
  const declared = parents.findLast(({ type }) => type === 'VariableDeclarator')
  return declared !== undefined && WAITING_NAME.test(nameOf(declared.id))
}

/** True when `a + b` adds numbers, as far as its operands show, and for all other operators. */
function isOfNumbers({ operator, left, right }) {
  if (operator !== '+' && operator !== '+=') return true
  const operands = [...addedIn(left), ...addedIn(right)]
  return !operands.some(isText) && operands.some(isNumber)
}

function addedIn(given) {
  const node = bare(given)
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return [node]
  return [...addedIn(node.left), ...addedIn(node.right)]
}

function isText(node) {
  if (node.type === 'TemplateLiteral' || node.type === 'TaggedTemplateExpression') return true
  if (node.type === 'Literal') return typeof node.value === 'string'
  return (
    node.type === 'CallExpression' &&
    /^(String|join|slice|toString|padStart|padEnd)$/.test(nameOf(node.callee))
  )
}

function isNumber(node) {
  if (node.type === 'Literal') return typeof node.value === 'number' || typeof node.value === 'bigint'
  if (node.type === 'BinaryExpression') return NUMBER_OPERATORS.has(node.operator)
  if (node.type === 'UnaryExpression') return node.operator === '-' || node.operator === '+'
  if (node.type === 'CallExpression') {
    const { callee } = node
    if (callee.type === 'MemberExpression' && nameOf(callee.object) === 'Math') return true
    return /^(Number|BigInt)$/.test(nameOf(callee)) || NUMBER_NAME.test(nameOf(callee))
  }
  return NUMBER_NAME.test(nameOf(node))
}

function isBoolean(node) {
  if (node.type === 'LogicalExpression') {
    return node.operator !== '??' && isBoolean(bare(node.left)) && isBoolean(bare(node.right))
  }
  if (node.type === 'BinaryExpression') return node.operator in COMPARISONS || node.operator === 'instanceof'
  if (node.type === 'UnaryExpression') return node.operator === '!'
  if (node.type === 'CallExpression') {
    const name = nameOf(node.callee)
    return BOOLEAN_NAME.test(name) || BOOLEAN_CALL.test(name)
  }
  return BOOLEAN_NAME.test(nameOf(node))
}

function returnsBoolean(around) {
  const type = around?.returnType?.typeAnnotation
  return type?.type === 'TSBooleanKeyword' || type?.type === 'TSTypePredicate'
}

function isDroppedCall(expression) {
  const call = bare(
    expression.type === 'AwaitExpression' || expression.operator === 'void'
      ? expression.argument
      : expression,
  )
  return call.type === 'CallExpression' && call.callee.type !== 'Super'
}

function isFunction({ type }) {
  return type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'
}

/** The node without parentheses, casts and `?.` chains around it. */
function bare(node) {
  const isWrapped =
    CASTS.has(node.type) || node.type === 'ParenthesizedExpression' || node.type === 'ChainExpression'
  return isWrapped ? bare(node.expression) : node
}

/** The last name of an expression: `size` of `this.map.size`; empty where it has none. */
function nameOf(given) {
  const node = bare(given)
  if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') return node.name
  return node.type === 'MemberExpression' && !node.computed ? nameOf(node.property) : ''
}

/** The widest part around a change that is short enough to be shown; else its line, or lines. */
function shownOf(source, { start, end }, parents) {
  const wide = parents.find((node) => node.end - node.start <= MOST_SHOWN)
  if (wide) return [wide.start, wide.end]
  const lineEnd = source.indexOf('\n', end)
  return [source.lastIndexOf('\n', start - 1) + 1, lineEnd === -1 ? source.length : lineEnd]
}

function isNode(value) {
  return typeof value === 'object' && value !== null && typeof value.type === 'string' && 'start' in value
}

/** Gives the line of an offset, from 1. */
function lines(source) {
  const starts = [0]
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1
}
