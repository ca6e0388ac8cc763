/** CPU time of the work in `slowness`, in ms, on the machine on which the limits of these tests were measured. */
const USUAL = 120

/** Returns how many times slower than usual a core of this machine is; at least 1. */
export const slowness = (): number => {
  const text = JSON.stringify(Array.from({ length: 20_000 }, (_, n) => ({ n, name: `name ${n}`, list: [n] })))
  const before = process.threadCpuUsage()
  for (let round = 0; round < 10; round++) JSON.stringify(JSON.parse(text))
  const { user, system } = process.threadCpuUsage(before)
  return Math.max(1, (user + system) / 1000 / USUAL)
}
