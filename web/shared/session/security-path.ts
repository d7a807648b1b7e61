/** Where one sets how one signs in; who is not signed in is led there by /login. */
export const securityPath = '/settings/security'
