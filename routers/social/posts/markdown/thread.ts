/** The thread on which Markdown is converted: takes a text, answers with its HTML. */
import { parentPort } from 'node:worker_threads'
import { markdownToHtml } from './to-html.ts'

parentPort!.on('message', (text: string) => parentPort!.postMessage(markdownToHtml(text), []))
