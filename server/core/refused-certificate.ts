/** The certificate of a service that the operator configured was refused. The message is meant for the operator. */
export class RefusedCertificate extends Error {
  override readonly name = 'RefusedCertificate'
}

/** The codes with which Node refuses a certificate (nodejs.org/api/tls.html, X509 certificate error codes). */
const codes = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|HOSTNAME_MISMATCH|^INVALID_(?:CA|PURPOSE)$/

/** Returns whether TLS failed because of the certificate of the other side. */
export function isCertificateCode(code: string): boolean {
  return codes.test(code)
}

/** Returns a RefusedCertificate in place of a TLS error about the certificate of `service`, and other errors unchanged. */
export function explainCertificateError(error: unknown, service: string): unknown {
  // nodemailer replaces the code and keeps it in `originalCode`.
  const { code, originalCode } = error as { code?: string; originalCode?: string }
  if (!isCertificateCode(originalCode ?? code ?? '')) return error
  // After a semicolon, Node adds advice about options of its command line, which operators do not use.
  const reason = (error as Error).message.split(';')[0]
  return new RefusedCertificate(
    `The certificate of the ${service} was refused: ${reason}. See "TLS to other services" in docs/operating.md.`,
    { cause: error },
  )
}
