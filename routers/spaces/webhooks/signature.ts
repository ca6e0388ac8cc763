import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

/** Creates a secret in the form that the libraries of Standard Webhooks expect. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/**
 * The headers by which a receiver checks who has sent a message, and recognizes its repetition.
 *
 * @param secrets a receiver needs one of these
 * @param now when it is sent; receivers refuse messages that are some minutes old
 */
export const signedHeaders = (
  secrets: readonly string[],
  id: string,
  body: string,
  now: Date,
): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
  'webhook-signature': secrets.map(secret => new Webhook(secret).sign(id, now, body)).join(' '),
})
