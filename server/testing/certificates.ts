/** Issues certificates for the TLS servers of tests, from an authority that exists only in the test. */
import 'reflect-metadata'
import { randomBytes, webcrypto } from 'node:crypto'
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

/** Certificate and private key in PEM. */
export interface TestCertificate {
  cert: string
  key: string
}

export interface TestAuthority {
  /** The authority's own certificate in PEM. */
  cert: string
  /** Issues a certificate for a server that is reached at an IP address. */
  issue(address: string): Promise<TestCertificate>
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const dayMs = 86_400_000

/** Creates an authority that no machine trusts. Its certificates are valid today. */
export async function createTestAuthority(): Promise<TestAuthority> {
  const validity = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) }
  const keys = await createKeys()
  const authority = await X509CertificateGenerator.createSelfSigned({
    ...validity,
    serialNumber: randomBytes(8).toString('hex'),
    name: 'CN=Reelmark test authority',
    signingAlgorithm: algorithm,
    keys,
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  })
  return {
    cert: authority.toString('pem'),
    async issue(address) {
      const { publicKey, privateKey } = await createKeys()
      const certificate = await X509CertificateGenerator.create({
        ...validity,
        serialNumber: randomBytes(8).toString('hex'),
        subject: 'CN=Reelmark test server',
        issuer: authority.subject,
        signingAlgorithm: algorithm,
        signingKey: keys.privateKey,
        publicKey,
        extensions: [new SubjectAlternativeNameExtension([{ type: 'ip', value: address }])],
      })
      const key = await webcrypto.subtle.exportKey('pkcs8', privateKey)
      return { cert: certificate.toString('pem'), key: PemConverter.encode(key, 'PRIVATE KEY') }
    },
  }
}

function createKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
}
