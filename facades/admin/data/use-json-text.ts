import { useDeferredValue, useMemo } from 'react'
import { rules } from '../../../routers/api/rules.ts'
import { checkJson, type JsonCheck, type JsonProblem } from '../../shared/check-json.ts'
import type { Diagnostic } from '../editor/code-editor-props.ts'

/** The text of a record's value, and what is derived from it. */
export interface JsonText {
  /** The checked text. While you type, it can lag behind the editor. */
  text: string
  check: JsonCheck
  /** The problems as the editor shows them. */
  diagnostics: Diagnostic[]
  /** The first problem that prevents saving, or null. */
  error: Diagnostic | null
  /** The text as it would be stored; null if it is not valid JSON. */
  compact: string | null
  /** Size in bytes as stored; null if the text is not valid JSON. */
  size: number | null
}

/** The line and column of an offset, both counted from 1. */
export const positionAt = (text: string, offset: number): { line: number; column: number } => {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1 }
}

const diagnosticOf = (text: string, { offset, message, severity }: JsonProblem): Diagnostic => ({
  ...positionAt(text, offset),
  message,
  severity,
})

/** Maximum number of problems passed to the editor: more would not help, and locating them takes time. */
const MAX_DIAGNOSTICS = 100

const encoder = new TextEncoder()

/** Checks a text and derives everything the editor shows about it. */
export const readJsonText = (text: string): JsonText => {
  const check = checkJson(text, rules.data.max_depth)
  const diagnostics = check.problems.slice(-MAX_DIAGNOSTICS).map(problem => diagnosticOf(text, problem))
  const error = diagnostics.find(({ severity }) => severity === 'error') ?? null
  const compact = check.isJson ? JSON.stringify(JSON.parse(text)) : null
  const size = compact === null ? null : encoder.encode(compact).length
  return { text, check, diagnostics, error, compact, size }
}

/** Like `readJsonText`, but deferred so that typing stays responsive. */
export const useJsonText = (text: string): JsonText => {
  const deferred = useDeferredValue(text)
  return useMemo(() => readJsonText(deferred), [deferred])
}
