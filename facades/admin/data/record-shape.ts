import { readForm } from '../form/json-form.ts'
import { readLook } from '../look/read-look.ts'
import { readTable } from '../table/json-table.ts'

/** How a value is edited. */
export type ValueShape = 'look' | 'table' | 'form' | 'json'

/** Whether a value can be edited in a way. A list or object without content shows most as JSON. */
const FITS: Record<ValueShape, (text: string) => boolean> = {
  look: text => readLook(text) !== null,
  table: text => {
    const table = readTable(text)
    return typeof table !== 'string' && table.columns.length > 0
  },
  form: text => {
    const form = readForm(text)
    return typeof form !== 'string' && form.fieldsOf(0).length > 0
  },
  json: () => true,
}

const SHAPES = Object.keys(FITS) as ValueShape[]

const keyOf = (subdomain: string, key: string) => `space-site-record-shape-${subdomain}/${key}`

/** Remembers in this browser how a record is edited. */
export const rememberShape = (subdomain: string, key: string, shape: ValueShape): void => {
  try {
    localStorage.setItem(keyOf(subdomain, key), shape)
  } catch {
    // The browser stores nothing; the record opens in the way that fits its value.
  }
}

const rememberedShape = (subdomain: string, key: string): string | null => {
  try {
    return localStorage.getItem(keyOf(subdomain, key))
  } catch {
    return null
  }
}

/** How a record opens: as the person chose the last time if its value still allows it, otherwise as fits it best. */
export const openingShape = (subdomain: string, key: string, text: string): ValueShape => {
  const remembered = rememberedShape(subdomain, key)
  const fits = (shape: ValueShape) => FITS[shape](text)
  return SHAPES.find(shape => shape === remembered && fits(shape)) ?? SHAPES.find(fits)!
}
