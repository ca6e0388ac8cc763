import { parseAst } from 'rolldown/parseAst'

/** One small fault: the text between two offsets of a file is replaced. */
export interface Mutant {
  start: number
  end: number
  replacement: string
  line: number
  /** The names of the functions around it, the innermost last. Empty at the top level of the module. */
  functions: string[]
}

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
}

/** What is changed in SQL: conditions, borders, orders and locks. */
const SQL: readonly (readonly [RegExp, string])[] = [
  [/\band\b(?! lateral)/g, 'or'],
  [/<=/g, '<'],
  [/>=/g, '>'],
  [/(?<=\s)<(?=\s)/g, '<='],
  [/(?<=\s)>(?=\s)/g, '>='],
  [/\bdesc\b/g, 'asc'],
  [/\bfor (?:no key )?update\b/g, ''],
  [/\bis null\b/g, 'is not null'],
  [/\bis not null\b/g, 'is null'],
  [/\bnot exists\b/g, 'exists'],
]

/** Methods of the query builder that can be left out. */
const BUILDERS = /^(?:where|whereRef|orderBy|forUpdate|forNoKeyUpdate|limit|having)$/

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/**
 * Finds the mutants of a source text: flipped conditions and borders, dropped awaits, calls and early returns, and
 * conditions of SQL. A parser of the bundler gives the syntax tree.
 */
export const mutantsOf = (source: string): Mutant[] => {
  const found: Mutant[] = []
  const lineOf = (offset: number) => source.slice(0, offset).split('\n').length
  const add = (functions: string[], start: number, end: number, replacement: string) =>
    found.push({ start, end, replacement, line: lineOf(start), functions })
  const text = ({ start, end }: Node) => source.slice(start, end)

  const ofNode = (node: Node, functions: string[]) => {
    switch (node.type) {
      case 'IfStatement':
      case 'ConditionalExpression': {
        const test = node.test as Node
        add(functions, test.start, test.end, 'true')
        add(functions, test.start, test.end, 'false')
        break
      }
      case 'BinaryExpression':
      case 'LogicalExpression': {
        const [left, right] = [node.left as Node, node.right as Node]
        const replacement = OPERATORS[node.operator as string]
        const at = source.indexOf(node.operator as string, left.end)
        if (replacement && at < right.start)
          add(functions, at, at + (node.operator as string).length, replacement)
        if (node.operator === '??') add(functions, node.start, node.end, text(left))
        break
      }
      case 'UnaryExpression':
        if (node.operator === '!') add(functions, node.start, node.end, text(node.argument as Node))
        break
      case 'ExpressionStatement': {
        const expression = node.expression as Node
        if (expression.type === 'AwaitExpression') {
          add(functions, expression.start, expression.end, `void ${text(expression.argument as Node)}`)
          add(functions, node.start, node.end, ';')
        } else if (expression.type === 'CallExpression' || expression.type === 'AssignmentExpression')
          add(functions, node.start, node.end, ';')
        break
      }
      case 'CallExpression': {
        // A condition, an order or a lock of a query.
        const callee = node.callee as Node
        const property = callee.property as { name?: string } | undefined
        if (callee.type === 'MemberExpression' && BUILDERS.test(property?.name ?? ''))
          add(functions, (callee.object as Node).end, node.end, '')
        break
      }
      case 'ReturnStatement':
        if (!node.argument) add(functions, node.start, node.end, ';')
        break
      case 'ThrowStatement':
        add(functions, node.start, node.end, ';')
        break
      case 'Literal':
        if (node.value === 'desc' || node.value === '<' || node.value === '>')
          add(functions, node.start, node.end, node.value === 'desc' ? "'asc'" : `'${node.value}='`)
        if (node.value === true || node.value === false)
          add(functions, node.start, node.end, String(!node.value))
        break
      case 'TaggedTemplateExpression': {
        if (text(node.tag as Node) !== 'sql') break
        for (const quasi of (node.quasi as { quasis: Node[] }).quasis)
          for (const [pattern, replacement] of SQL)
            for (const match of text(quasi).matchAll(pattern)) {
              const start = quasi.start + match.index
              add(functions, start, start + match[0].length, replacement)
            }
        break
      }
    }
  }

  const visit = (node: Node, functions: string[], name?: string) => {
    // Types are not part of the running program.
    if (node.type.startsWith('TS') && !('expression' in node)) return
    const isFunction = /Function|ArrowFunction/.test(node.type)
    const own = isFunction ? ((node.id as { name: string } | null)?.name ?? name) : undefined
    const around = own ? [...functions, own] : functions
    ofNode(node, around)
    for (const [key, value] of Object.entries(node)) {
      const children = Array.isArray(value) ? value : [value]
      for (const child of children) if (isNode(child)) visit(child, around, nameOf(node, key))
    }
  }
  visit(parseAst(source, { lang: 'ts' }) as unknown as Node, [])
  return found
}

/** The name that a function gets from its place: a variable, a property or a method. */
const nameOf = (parent: Node, key: string): string | undefined => {
  const target = key === 'init' ? parent.id : key === 'value' ? parent.key : undefined
  return (target as { name?: string } | undefined)?.name
}
