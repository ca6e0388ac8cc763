/** Simulates an authenticator and its browser, so that tests can make either of them misbehave. */
import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { Inputs, Outputs } from './procedures.ts'

export type CreationOptions = Outputs['passkeys']['startRegistration']
export type RequestOptions = Outputs['passkeys']['startSignIn']
type Registration = Inputs['passkeys']['register']['response']
type RestResponse = Inputs['passkeys']['signIn']['response']

/** Deviations from a correct response. */
export interface Flaw {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  /** The authenticator's flags, as a bit mask: 1 user present, 4 user verified, 64 credential data attached. */
  flags?: number
  counter?: number
  format?: string
  statement?: Map<string, unknown>
  /** Whether the registration includes a valid attestation certificate. */
  hasCertificate?: true
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

// A certificate that the WebAuthn library accepts for attestation, valid from 2020 to 2120.
const pem = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const certificate = new X509Certificate(pem('attestation-certificate.pem')).raw
const certificateKey = createPrivateKey(pem('attestation-key.pem'))

/** The statement of a packed attestation with a certificate (WebAuthn, section 8.2). */
const certifiedStatement = (authData: Buffer, data: Buffer) =>
  new Map<string, unknown>([
    ['alg', -7],
    ['sig', new Uint8Array(sign('sha256', Buffer.concat([authData, sha256(data)]), certificateKey))],
    ['x5c', [new Uint8Array(certificate)]],
  ])

const authenticatorData = (rpId: string, flags: number, counter: number) => {
  const tail = Buffer.alloc(5)
  tail.writeUInt8(flags, 0)
  tail.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(rpId), tail])
}

/** Creates an authenticator with one passkey. */
export const authenticator = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(20)
  let counter = 0
  let userHandle = ''

  /** The public key in COSE form (RFC 9053). */
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
      authenticatorData(
        flaw.rpId ?? options.rp.id!,
        flaw.flags ?? PRESENT_AND_VERIFIED | KEY_ATTACHED,
        counter,
      ),
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id,
      coseKey(),
    ])
    const data = clientData('webauthn.create', options.challenge, flaw)
    const attestation = new Map<string, unknown>([
      ['fmt', flaw.hasCertificate ? 'packed' : (flaw.format ?? 'none')],
      ['attStmt', flaw.hasCertificate ? certifiedStatement(authData, data) : (flaw.statement ?? new Map())],
      ['authData', new Uint8Array(authData)],
    ])
    return {
      id: base64url(id),
      rawId: base64url(id),
      type: 'public-key',
      response: {
        clientDataJSON: base64url(data),
        attestationObject: base64url(isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0])),
        transports: ['internal'],
      },
    }
  }

  const answer = (options: RequestOptions, flaw: Flaw = {}): RestResponse => {
    counter = flaw.counter ?? counter + 1
    const authData = authenticatorData(
      flaw.rpId ?? options.rpId!,
      flaw.flags ?? PRESENT_AND_VERIFIED,
      counter,
    )
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

/** Creates a private key that belongs to no passkey. */
export const foreignKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
