import { useDeferredValue, useMemo } from 'react'
import { rules } from '../../../routers/core/rules.ts'
import type { Diagnostic } from '../editor/CodeEditor.tsx'
import { type Finding, type Scan, scanJson } from './json-scanner.ts'

/** A text that is typed as the value of a record, and what is to be known of it. */
export interface JsonText {
  /** What was looked at; what is typed quickly is looked at a moment later. */
  text: string
  scan: Scan
  /** Where the editor marks something. */
  diagnostics: Diagnostic[]
  /** The first thing that keeps it from being saved, or null. */
  fault: Diagnostic | null
  /** The text as it would be stored; null where it is no JSON. */
  compact: string | null
  /** Bytes that it would be stored in; null where it is no JSON. */
  size: number | null
}

/** Where an offset is, as editors say it. */
export const placeIn = (text: string, offset: number): { line: number; column: number } => {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1 }
}

const diagnosticOf = (text: string, { at, message, severity }: Finding): Diagnostic => ({
  ...placeIn(text, at),
  message,
  severity,
})

/** Marks beyond this number help nobody, and finding their lines takes time. */
const MAX_MARKS = 100

const encoder = new TextEncoder()

export const readJsonText = (text: string): JsonText => {
  const scan = scanJson(text, rules.data.max_depth)
  const diagnostics = scan.findings.slice(-MAX_MARKS).map(finding => diagnosticOf(text, finding))
  const fault = diagnostics.find(({ severity }) => severity === 'error') ?? null
  const compact = scan.isJson ? JSON.stringify(JSON.parse(text)) : null
  const size = compact === null ? null : encoder.encode(compact).length
  return { text, scan, diagnostics, fault, compact, size }
}

/** What is to be known of a text while it is typed. */
export const useJsonText = (text: string): JsonText => {
  const deferred = useDeferredValue(text)
  return useMemo(() => readJsonText(deferred), [deferred])
}
