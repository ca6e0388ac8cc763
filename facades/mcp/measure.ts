import type { OperationCall } from '../../routers/api/context.ts'
import { type Reply, RpcError } from './rpc.ts'

/**
 * Methods that metrics and traces report by name. Every other method is reported as `other`, because clients can send
 * any name.
 */
const METHODS = new Set([
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
])

/**
 * Handles a message. Reports the message to metrics and traces, if they are enabled.
 *
 * A tool call is reported here only if it fails with an RpcError, for example because the tool is unknown. Most tool
 * calls run a procedure, and the procedure does the reporting.
 */
export const measured = (
  method: string,
  onCall: ((call: OperationCall) => void) | undefined,
  handle: () => Reply | Promise<Reply>,
): Reply | Promise<Reply> => (onCall ? reported(method, onCall, handle) : handle())

const reported = async (
  method: string,
  onCall: (call: OperationCall) => void,
  handle: () => Reply | Promise<Reply>,
): Promise<Reply> => {
  const start = performance.now()
  const report = (code: OperationCall['code']) =>
    onCall({
      operation: `mcp.${METHODS.has(method) ? method : 'other'}`,
      code,
      seconds: (performance.now() - start) / 1000,
    })
  try {
    const reply = await handle()
    if (method !== 'tools/call') report('ok')
    return reply
  } catch (error) {
    if (error instanceof RpcError) report('rpc_error')
    throw error
  }
}
