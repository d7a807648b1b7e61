/** Registration may reveal that a username is taken, as it is public; a password reset reveals nothing. */
export const usernameTakenText = 'A user with that username already exists.'
