import { expect, test } from 'vitest'
import { logIn, register } from '../accounts.ts'
import { listVideos } from '../listing.ts'
import { errors } from './errors.ts'
import { orientationFilters } from './fields.ts'
import * as limits from './limits.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

test('limits match the specification', () => {
  expect({ ...limits }).toMatchObject({
    pageSize: 25,
    commentMax: 500,
    bookmarkCacheSeconds: 5 * minute,
    rememberedSessionSeconds: 7 * day,
    shortSessionSeconds: day,
    nearExpirySeconds: 5 * minute,
    refreshCheckSeconds: hour,
    registrationCountdownSeconds: 5,
    savedBannerSeconds: 3,
    preloadedThumbnailsMax: 6,
  })
  expect(orientationFilters).toEqual(['all', 'straight', 'gay', 'bi', 'trans', 'sfw'])
})

test('limits match the design decisions', () => {
  expect({ ...limits }).toMatchObject({
    usernameMin: 3,
    usernameMax: 30,
    passwordMin: 8,
    passwordMax: 128,
    accessTokenSeconds: 15 * minute,
    passwordResetSeconds: hour,
    commentsPageSize: 20,
    maxPageSize: 100,
    exactCountMax: 10_000,
    suggestedTagsMax: 10,
    idempotencyRetentionSeconds: day,
  })
})

test('endpoint schemas use the limits', () => {
  expect(listVideos.query.properties.page_size).toMatchObject({ default: 25, maximum: 100 })
  expect(logIn.body.properties.remember).toMatchObject({ default: true })
  expect(register.body.properties.username).toMatchObject({ minLength: 3, maxLength: 30 })
})

test('sign-in errors use the texts of the specification', () => {
  expect(errors['wrong-credentials']).toEqual([401, 'Invalid username or password.'])
  expect(errors['login-rate-limited']).toEqual([429, 'Too many login attempts. Please try again later.'])
  expect(errors['invalid-reset-link']).toEqual([400, 'The password reset link is invalid or has expired.'])
})
