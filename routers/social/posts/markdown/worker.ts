/** The function that runs on a thread of the pool in `converter.ts`. */
import { parentPort, threadId } from 'node:worker_threads'
import type { MarkdownKind } from '../../../api/context.ts'
import { commentToHtml } from './comment-to-html.ts'
import { markdownToHtml } from './to-html.ts'

/** Markdown to convert, and a number that identifies the task. */
export interface Task {
  id: number
  text: string
  kind: MarkdownKind
}

/** The message that a thread sends when it starts a task. */
export interface Started {
  id: number
  threadId: number
  /** The processor time that the thread has used before the task. */
  before: NodeJS.CpuUsage
}

export default ({ id, text, kind }: Task): string => {
  // The time limit starts with this message, so that time spent in the queue doesn't count.
  const started: Started = { id, threadId, before: process.threadCpuUsage() }
  parentPort!.postMessage(started, [])
  return kind === 'post' ? markdownToHtml(text) : commentToHtml(text)
}
