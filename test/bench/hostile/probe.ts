import { Agent, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'

/** What to request, and how often. */
export interface Target {
  port: number
  host?: string
  path: string
  key?: string
  perSecond: number
}

/** Time to the first byte of each response, in ms. */
export type Samples = number[]

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

const send = ({ port, host = 'localhost', path, key }: Target) =>
  new Promise<number>((resolve, reject) => {
    const start = performance.now()
    const headers = { host, ...(key ? { authorization: `Bearer ${key}` } : {}) }
    request({ agent, host: '127.0.0.1', port, path, headers }, response => {
      const ms = performance.now() - start
      response.resume().on('end', () => resolve(ms))
    })
      .on('error', reject)
      .end()
  })

/**
 * Sends requests at random times with the given average rate. Does not wait for responses, so a slow server gets as
 * many requests as a fast one.
 */
export const probe = async (target: Target, seconds: number): Promise<Samples> => {
  const responses: Promise<number>[] = []
  const start = performance.now()
  const pause = () => (-Math.log(1 - Math.random()) * 1000) / target.perSecond
  for (let due = pause(); due < seconds * 1000; due += pause()) {
    await setTimeout(Math.max(0, start + due - performance.now()))
    responses.push(send(target))
  }
  return Promise.all(responses)
}

export const endProbes = () => agent.destroy()

/** A percentile of samples, in ms. */
export const percentile = (samples: Samples, part: number): number =>
  samples.toSorted((a, b) => a - b)[Math.min(samples.length - 1, Math.floor(samples.length * part))] ?? 0
