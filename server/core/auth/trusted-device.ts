/**
 * A trusted device is a browser that remembers an earlier login in a cookie. The cookie does not authenticate anyone:
 * it only lets attempts to log in to this account be counted separately, so that guesses from elsewhere do not lock out
 * the owner. Method: OWASP, 'Slow Down Online Guessing Attacks with Device Cookies'.
 */
import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db, Fragment } from '../database/database.ts'
import { readSiteCookie, setSiteCookie } from '../http/site-cookies.ts'

export interface TrustedDevice {
  user_id: number
  /** Trusted while it is the `device_generation` of the user, which ending the user's sessions increases. */
  generation: number
  /** Distinguishes the devices of an account. */
  nonce: string
}

const yearSeconds = 365 * 24 * 60 * 60

/** Makes the browser of a request a trusted device of a user who has just authenticated. */
export function setTrustedDeviceCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { user_id, generation }: Omit<TrustedDevice, 'nonce'>,
): void {
  const { serverKeys } = request.server.deps
  const current = readTrustedDevice(request)
  // A known device keeps its nonce. Otherwise each login would reset the count of its attempts.
  const nonce = current?.user_id === user_id ? current.nonce : randomBytes(16).toString('base64url')
  const text = `${user_id}.${generation}.${nonce}`
  setSiteCookie(reply, 'device', `${text}.${sign(serverKeys.device, text)}`, yearSeconds)
}

/**
 * Returns the trusted device of a request, of any user, or null without a valid cookie. The user's sessions may have been
 * ended since: see `isStillTrusted`.
 */
export function readTrustedDevice(request: FastifyRequest): TrustedDevice | null {
  const [, text, id, generation, nonce, signature] =
    /^((\d{1,15})\.(\d{1,9})\.([\w-]{22}))\.([\w-]{43})$/.exec(readSiteCookie(request, 'device') ?? '') ?? []
  if (text === undefined || nonce === undefined || signature === undefined) return null
  const expected = sign(request.server.deps.serverKeys.device, text)
  return timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
    ? { user_id: Number(id), generation: Number(generation), nonce }
    : null
}

/** A condition on `users`: the account whose trusted device this is. */
export function isStillTrusted(db: Db, device: TrustedDevice | null): Fragment {
  return db`id = ${device?.user_id ?? null} and device_generation = ${device?.generation ?? null}`
}

function sign(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}
