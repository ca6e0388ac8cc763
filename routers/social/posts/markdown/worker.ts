/** The function that runs on a thread of the pool in `converter.ts`. */
import { parentPort } from 'node:worker_threads'
import { markdownToHtml } from './to-html.ts'

/** A text to convert, and a number that identifies the task. */
export interface Task {
  id: number
  text: string
}

export default ({ id, text }: Task): string => {
  // The time limit starts with this message, so that time spent in the queue doesn't count.
  parentPort!.postMessage(id, [])
  return markdownToHtml(text)
}
