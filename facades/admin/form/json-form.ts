import { applyEdits, findNodeAtLocation, type JSONPath, modify, type Node, parseTree } from 'jsonc-parser'
import { readTable, type Table } from '../table/json-table.ts'

/** A field of the form: a value, or the fields of an object. */
export type FormField = { path: JSONPath; label: string } & (
  | { kind: 'value' /** Undefined if the object lacks the key. */; json: string | undefined }
  | { kind: 'object'; fields: FormField[] }
)

/** A value that can be edited as a form: one object, or a list of objects, one of which is edited at a time. */
export interface JsonForm {
  /** The items of a list; null for a single object. */
  list: Table | null
  /** Returns the fields of the object, or of an item of the list. */
  fieldsOf: (item: number) => FormField[]
}

/** Objects within objects have fields up to this depth; deeper ones are edited as JSON. */
const MAX_DEPTH = 3

const membersOf = (node: Node | undefined): Map<string, Node> =>
  new Map((node?.children ?? []).map(({ children: [key, value] = [] }) => [key!.value as string, value!]))

const read = (
  text: string,
  node: Node | undefined,
  path: JSONPath,
  keys: Iterable<string>,
  depth: number,
): FormField[] => {
  const members = membersOf(node)
  return Array.from(keys, label => {
    const value = members.get(label)
    const at = [...path, label]
    if (value?.type === 'object' && depth < MAX_DEPTH)
      return {
        kind: 'object',
        path: at,
        label,
        fields: read(text, value, at, membersOf(value).keys(), depth + 1),
      }
    return {
      kind: 'value',
      path: at,
      label,
      json: value && text.slice(value.offset, value.offset + value.length),
    }
  })
}

/**
 * Reads a JSON text as a form.
 *
 * @returns the form, or a sentence that says why the value can only be edited as JSON
 */
export const readForm = (text: string): JsonForm | string => {
  const tree = parseTree(text)
  if (tree?.type === 'object') {
    // Read the object as a list with one element. The rules for lists then also apply to the object.
    const only = readTable(`[${text}]`)
    if (typeof only === 'string')
      return only.startsWith('Element')
        ? 'The object has the same key more than once. Remove the duplicates to edit the value as a form.'
        : only.replace(/table/, 'form')
    return { list: null, fieldsOf: () => read(text, tree, [], only.columns, 1) }
  }
  const list = readTable(text)
  if (typeof list === 'string')
    return list.startsWith('Only')
      ? 'Only an object or a list of objects can be edited as a form.'
      : list.replace(/table/gi, 'form')
  return {
    list,
    fieldsOf: item => read(text, tree?.children?.[item], [item], list.columns, 1),
  }
}

const FORMAT = { formattingOptions: { insertSpaces: true, tabSize: 2 } }

/**
 * Replaces a value in a JSON text without reformatting the rest of the text.
 *
 * @param json undefined to remove the key from the object
 */
export const setValue = (text: string, path: JSONPath, json: string | undefined): string => {
  const tree = parseTree(text)
  const node = tree && findNodeAtLocation(tree, path)
  if (node && json !== undefined)
    return text.slice(0, node.offset) + json + text.slice(node.offset + node.length)
  const value = json === undefined ? undefined : (JSON.parse(json) as unknown)
  return applyEdits(text, modify(text, path, value, FORMAT))
}
