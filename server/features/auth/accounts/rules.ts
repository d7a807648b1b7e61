/** Registration says that a username is taken; a password reset says nothing about accounts. */
export const usernameTakenText = 'A user with that username already exists.'
