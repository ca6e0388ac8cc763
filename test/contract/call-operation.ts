import { expect } from 'vitest'
import { type RawResponse, request } from '../space-api/support/http.ts'
import { bodyOf, pathOf, type Row } from './operations.ts'
import type { PathValues } from './resources.ts'

/** Sends a request that the operation accepts, with the given `Authorization` header. */
export const callOperation = (
  root: string,
  row: Row,
  values: PathValues,
  authorization: string | undefined,
): Promise<RawResponse> =>
  request(root, row.operation.method, pathOf(row, values), {
    headers: {
      ...(authorization === undefined ? {} : { Authorization: authorization }),
      ...(row.operation.takesBody ? { 'Content-Type': 'application/json' } : {}),
    },
    ...(row.operation.takesBody ? { body: JSON.stringify(bodyOf(row)) } : {}),
  })

/** Expects a successful response with the headers that every operation sends. */
export const expectSuccess = (response: RawResponse, { facts: { status } }: Row): void => {
  expect(response).toMatchObject({ status })
  expect(response.headers['ratelimit-limit']).toMatch(/^\d+$/)
  expect(response.headers['ratelimit-remaining']).toMatch(/^\d+$/)
  expect(response.headers['ratelimit-reset']).toMatch(/^([1-9]|[1-5]\d|60)$/)
  expect(response.headers['content-type']).toBe(
    status === 204 ? undefined : 'application/json; charset=utf-8',
  )
  expect(response.text === '').toBe(status === 204)
  expect(Object.keys(response.headers).filter(name => name.startsWith('access-control-'))).toEqual([])
}

/** Expects that all responses are the same 401. */
export const expectUnauthorized = (responses: readonly RawResponse[]): void => {
  for (const response of responses) {
    expect(response.status).toBe(401)
    expect(response.headers['www-authenticate']).toBe('Bearer')
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(response.text).toBe(responses[0]!.text)
    expect(response.body.code).toBe('unauthorized')
  }
}
