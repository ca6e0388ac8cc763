/** A passkey's authenticator and the browser before it, in software, so that each of them can be wrong in turn. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { Inputs, Outputs } from './procedures.ts'

export type CreationOptions = Outputs['passkeys']['startRegistration']
export type RequestOptions = Outputs['passkeys']['startSignIn']
type Registration = Inputs['passkeys']['register']['response']
type Answer = Inputs['passkeys']['signIn']['response']

/** What can be other than it should be. */
export interface Flaw {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  /** Flags of the authenticator: 1 is presence, 4 verification, 64 that a key is attached. */
  flags?: number
  counter?: number
  format?: string
  statement?: Map<string, unknown>
  key?: KeyObject
  userHandle?: string
  credentialId?: string
}

const ORIGIN = 'http://localhost'
const PRESENT_AND_VERIFIED = 0x05
const KEY_ATTACHED = 0x40

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')
const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data).digest()

const clientData = (type: string, challenge: string, flaw: Flaw) =>
  Buffer.from(
    JSON.stringify({
      type: flaw.type ?? type,
      challenge: flaw.challenge ?? challenge,
      origin: flaw.origin ?? ORIGIN,
      crossOrigin: false,
    }),
  )

const head = (rpId: string, flags: number, counter: number) => {
  const tail = Buffer.alloc(5)
  tail.writeUInt8(flags, 0)
  tail.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(rpId), tail])
}

/** One passkey. */
export const authenticator = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(20)
  let counter = 0
  let userHandle = ''

  /** COSE's form of an ES256 key (RFC 9053). */
  const coseKey = () => {
    const { x, y } = publicKey.export({ format: 'jwk' })
    return isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x!, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y!, 'base64url'))],
      ]),
    )
  }

  const register = (options: CreationOptions, flaw: Flaw = {}): Registration => {
    userHandle = options.user.id
    const authData = Buffer.concat([
      head(flaw.rpId ?? options.rp.id!, flaw.flags ?? PRESENT_AND_VERIFIED | KEY_ATTACHED, counter),
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id,
      coseKey(),
    ])
    const attestation = new Map<string, unknown>([
      ['fmt', flaw.format ?? 'none'],
      ['attStmt', flaw.statement ?? new Map()],
      ['authData', new Uint8Array(authData)],
    ])
    return {
      id: base64url(id),
      rawId: base64url(id),
      type: 'public-key',
      response: {
        clientDataJSON: base64url(clientData('webauthn.create', options.challenge, flaw)),
        attestationObject: base64url(isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0])),
        transports: ['internal'],
      },
    }
  }

  const answer = (options: RequestOptions, flaw: Flaw = {}): Answer => {
    counter = flaw.counter ?? counter + 1
    const authData = head(flaw.rpId ?? options.rpId!, flaw.flags ?? PRESENT_AND_VERIFIED, counter)
    const data = clientData('webauthn.get', options.challenge, flaw)
    return {
      id: flaw.credentialId ?? base64url(id),
      rawId: flaw.credentialId ?? base64url(id),
      type: 'public-key',
      response: {
        clientDataJSON: base64url(data),
        authenticatorData: base64url(authData),
        signature: base64url(sign('sha256', Buffer.concat([authData, sha256(data)]), flaw.key ?? privateKey)),
        userHandle: flaw.userHandle ?? userHandle,
      },
    }
  }

  return { register, answer }
}

/** Another key than that of any passkey. */
export const foreignKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
