import {
  collectorVisibilities,
  type PrivacySettings,
  type Visibility,
  visibilities,
} from '@reelmark/contract/privacy-settings.ts'

export type VisibilitySetting = Extract<keyof PrivacySettings, `${string}_visibility`>

export const visibilityLabels: Record<Visibility, string> = {
  everyone: 'Everyone',
  members: 'Signed-in users',
  only_me: 'Only you',
}

interface VisibilityText {
  setting: VisibilitySetting
  label: string
  hint: string
  choices: readonly Visibility[]
}

/** What users can hide, in the order of the settings. */
export const visibilityTexts: readonly VisibilityText[] = [
  {
    setting: 'profile_visibility',
    label: 'Your profile',
    hint: 'Your profile page, its lists, and finding you and your bookmarks by your name. The settings below never show more than this one.',
    choices: visibilities,
  },
  {
    setting: 'likes_visibility',
    label: 'Your likes',
    hint: 'The list and number in your profile. With “Only you”, nobody is notified of your likes either.',
    choices: visibilities,
  },
  {
    setting: 'following_visibility',
    label: 'Who you follow',
    hint: 'The list and number in your profile, and you in the lists of their followers. With “Only you”, they are not notified either.',
    choices: visibilities,
  },
  {
    setting: 'followers_visibility',
    label: 'Who follows you',
    hint: 'The list and number of your followers, and you in their lists.',
    choices: visibilities,
  },
  {
    setting: 'collector_visibility',
    label: 'Your name among the collectors of a video',
    hint: 'Visitors never see collectors. Your public bookmark still shows your name, and the number of saves includes it.',
    choices: collectorVisibilities,
  },
]
