/**
 * A browser that signed somebody in once is remembered by a cookie. It lets nobody in: its attempts to log in to that
 * account are only counted by themselves, so that no flood of wrong guesses from elsewhere locks the owner out.
 * Method: OWASP, 'Slow Down Online Guessing Attacks with Device Cookies'.
 */
import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface TrustedDevice {
  user_id: number
  /** Tells this device from the others of the account. */
  nonce: string
}

const cookie = 'device'
const year = 365 * 24 * 60 * 60

/** Makes the browser that asks a trusted device of somebody who has just shown who they are. */
export function setTrustedDeviceCookie(request: FastifyRequest, reply: FastifyReply, userId: number): void {
  const { settings, serverKeys } = request.server.deps
  const known = readTrustedDevice(request)
  // The same device stays the same, or each login would start with attempts not counted yet.
  const nonce = known?.user_id === userId ? known.nonce : randomBytes(16).toString('base64url')
  const text = `${userId}.${nonce}`
  reply.setCookie(cookie, `${text}.${signature(serverKeys.device, text)}`, {
    httpOnly: true,
    sameSite: 'strict',
    secure: settings.publicUrl.startsWith('https:'),
    path: '/api/',
    maxAge: year,
  })
}

/** The device that a request comes from, whosever it is; null where it brings no cookie, or one that is not ours. */
export function readTrustedDevice(request: FastifyRequest): TrustedDevice | null {
  const [, text, id, nonce, signed] =
    /^((\d{1,15})\.([\w-]{22}))\.([\w-]{43})$/.exec(request.cookies[cookie] ?? '') ?? []
  if (text === undefined || nonce === undefined || signed === undefined) return null
  const right = signature(request.server.deps.serverKeys.device, text)
  return timingSafeEqual(Buffer.from(signed), Buffer.from(right)) ? { user_id: Number(id), nonce } : null
}

function signature(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}
