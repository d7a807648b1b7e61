/** The page of password, passkeys and second factor. Visitors are redirected from it to /login. */
export const securityPath = '/settings/security'
