import { createSocket } from 'node:dgram'
import { afterAll, beforeAll } from 'vitest'

/** The records of a name. A name without an entry does not exist. */
interface Records {
  a?: string[]
  aaaa?: string[]
  txt?: string[]
  cname?: string
  /** The server says that it cannot answer. */
  fails?: boolean
}

/** A DNS server on loopback, whose records a test sets. */
export interface DnsServer {
  /** The address with the port, as `DNS_SERVERS` takes it. */
  address: string
  /** Sets the records of a name; none delete the name. */
  set(name: string, records?: Records): void
  /** Number of questions so far. */
  readonly questions: number
  stop(): void
}

const TYPES = { a: 1, cname: 5, txt: 16, aaaa: 28 } as const
const SERVFAIL = 2
const NXDOMAIN = 3

/** Starts a DNS server. */
export const startDnsServer = async (): Promise<DnsServer> => {
  const names = new Map<string, Records>()
  const socket = createSocket('udp4')
  let questions = 0

  const answersFor = (name: string, type: number): Buffer[] => {
    const found = names.get(name)
    if (!found) return []
    if (found.cname !== undefined) {
      const alias = record(name, TYPES.cname, encodeName(found.cname))
      return type === TYPES.cname ? [alias] : [alias, ...answersFor(found.cname, type)]
    }
    if (type === TYPES.a)
      return (found.a ?? []).map(a => record(name, type, Buffer.from(a.split('.').map(Number))))
    if (type === TYPES.aaaa) return (found.aaaa ?? []).map(aaaa => record(name, type, encodeIPv6(aaaa)))
    if (type === TYPES.txt) return (found.txt ?? []).map(text => record(name, type, encodeText(text)))
    return []
  }

  socket.on('message', (message, { port, address }) => {
    questions++
    const { name, type, end } = readQuestion(message)
    const found = names.get(name)
    const answers = answersFor(name, type)
    const header = Buffer.alloc(12)
    message.copy(header, 0, 0, 2)
    header.writeUInt16BE(0x8180 | (found ? (found.fails ? SERVFAIL : 0) : NXDOMAIN), 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(answers.length, 6)
    socket.send(Buffer.concat([header, message.subarray(12, end), ...answers]), port, address)
  })
  await new Promise<void>(resolve => {
    socket.bind(0, '127.0.0.1', resolve)
  })
  return {
    address: `127.0.0.1:${socket.address().port}`,
    set: (name, records) => void (records ? names.set(name, records) : names.delete(name)),
    get questions() {
      return questions
    },
    stop: () => socket.close(),
  }
}

/** Runs a DNS server for the tests of a file. */
export const useDnsServer = (): DnsServer => {
  const dns = {} as DnsServer
  beforeAll(async () => {
    const started = await startDnsServer()
    Object.defineProperties(dns, Object.getOwnPropertyDescriptors(started))
  })
  afterAll(() => dns.stop())
  return dns
}

const readQuestion = (message: Buffer) => {
  const labels: string[] = []
  let at = 12
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

const encodeName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map(label => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ])

const encodeText = (text: string): Buffer =>
  Buffer.concat(
    (text.match(/.{1,255}/gs) ?? ['']).map(piece => Buffer.from([piece.length, ...Buffer.from(piece)])),
  )

/** Encodes an address that is written in full or with one `::`. */
const encodeIPv6 = (address: string): Buffer => {
  const [before = '', after = ''] = address.split('::')
  const words = (part: string) => (part === '' ? [] : part.split(':'))
  const zeros = Array<string>(8 - words(before).length - words(after).length).fill('0')
  const all = [...words(before), ...zeros, ...words(after)]
  return Buffer.from(all.flatMap(word => [Number.parseInt(word, 16) >> 8, Number.parseInt(word, 16) & 255]))
}

const record = (name: string, type: number, data: Buffer): Buffer => {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([encodeName(name), fixed, data])
}
