/** Preloaded into the service: SIGUSR2 sets its clock back by an hour. */
const HOUR = 3_600_000

let offset = 0
const now = Date.now
Date.now = () => now() + offset

globalThis.Date = new Proxy(Date, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [Date.now()] : values, newTarget),
  apply: () => new Date().toString(),
})

process.on('SIGUSR2', () => {
  offset -= HOUR
  process.stderr.write('The clock was set back.\n')
})
