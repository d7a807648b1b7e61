/**
 * The cookies of this site. Over https their names begin with `__Host-`, so that browsers accept them from this host only:
 * no other subdomain, and no one who intercepts http, can set them. Browsers refuse such names over http, so a site at
 * http://localhost uses the bare names.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'

type SiteCookie = 'device' | 'oidc'

/** `lax` cookies are also sent when another site redirects here. */
const sameSite = { device: 'strict', oidc: 'lax' } as const satisfies Record<SiteCookie, string>

export function setSiteCookie(reply: FastifyReply, name: SiteCookie, value: string, maxAge: number): void {
  reply.setCookie(storedName(reply, name), value, { ...attributes(reply, name), maxAge })
}

export function clearSiteCookie(reply: FastifyReply, name: SiteCookie): void {
  reply.clearCookie(storedName(reply, name), attributes(reply, name))
}

export function readSiteCookie(request: FastifyRequest, name: SiteCookie): string | undefined {
  return request.cookies[storedName(request, name)]
}

function isHttps({ server }: Pick<FastifyRequest, 'server'>): boolean {
  return server.deps.settings.publicUrl.startsWith('https:')
}

function storedName(context: Pick<FastifyRequest, 'server'>, name: SiteCookie): string {
  return isHttps(context) ? `__Host-${name}` : name
}

function attributes(reply: FastifyReply, name: SiteCookie) {
  // The prefix requires `Secure` and the path `/`.
  return { httpOnly: true, sameSite: sameSite[name], secure: isHttps(reply), path: '/' } as const
}
