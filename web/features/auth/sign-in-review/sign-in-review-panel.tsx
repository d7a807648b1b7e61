import { completeSignInReview, type SignInReview } from '@reelmark/contract/sign-in-review.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import {
  SettingsGroup,
  SettingsLoadFailed,
  SettingsRowsSkeleton,
} from '../../../shared/pages/settings-panel.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { formatDate } from '../../../ui/format-date.ts'
import { RadioChoices } from '../../../ui/radio-choices.tsx'
import { toast } from '../../../ui/toast.tsx'
import { invalidateSignInSettings, signInReviewQuery } from '../settings-queries.ts'

/**
 * Asks after a password reset which linked sign-in methods to keep. An intruder may have linked them, and could return
 * with them although the password changed.
 */
export function SignInReviewPanel() {
  const review = useQuery(signInReviewQuery)
  return (
    <SettingsGroup
      title="Review how you log in"
      lead="Your password was reset. Another person with access to your account may have added ways to log in. Remove those that aren't yours."
    >
      {review.isPending ? (
        <SettingsRowsSkeleton rows={1} label="Loading" />
      ) : review.isError ? (
        <SettingsLoadFailed subject="your sign-in methods" onRetry={() => void review.refetch()} />
      ) : (
        <SignInReviewForm review={review.data} />
      )}
    </SettingsGroup>
  )
}

interface Item {
  key: string
  label: string
}

type Decision = 'keep' | 'remove'

const choices = [
  { value: 'keep', label: 'Keep' },
  { value: 'remove', label: 'Remove' },
] as const

function SignInReviewForm({ review }: { review: SignInReview }) {
  const client = useQueryClient()
  const [decisions, setDecisions] = useState<Readonly<Record<string, Decision>>>({})
  const [isIncomplete, setIsIncomplete] = useState(false)
  const notice = useRef<HTMLDivElement>(null)
  const complete = useApiMutation(completeSignInReview, {
    onSuccess() {
      toast('Your sign-in methods were reviewed.')
      void invalidateSignInSettings(client)
    },
  })
  const items = listItems(review)
  const isRemoved = (key: string) => decisions[key] === 'remove'

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const isMissing = items.some(({ key }) => decisions[key] === undefined)
    // Renders the error first, because the focus moves to it.
    flushSync(() => setIsIncomplete(isMissing))
    if (isMissing) return notice.current?.focus()
    const removedIds = (kind: string, rows: readonly { id: number }[]) =>
      rows.map(({ id }) => id).filter((id) => isRemoved(`${kind}-${id}`))
    void complete.run({
      body: {
        remove_authenticator: isRemoved('authenticator'),
        remove_passkeys: removedIds('passkey', review.passkeys),
        remove_identities: removedIds('identity', review.identities),
      },
    })
  }

  return (
    <form noValidate onSubmit={submit} className="flex max-w-120 flex-col gap-6">
      <ErrorNotice
        ref={notice}
        text={isIncomplete ? 'Choose Keep or Remove for each.' : complete.errorText}
      />
      {items.map(({ key, label }) => (
        <RadioChoices
          key={key}
          name={key}
          label={label}
          choices={choices}
          value={decisions[key] ?? null}
          onChange={(decision) => setDecisions((before) => ({ ...before, [key]: decision }))}
        />
      ))}
      <div>
        <Button type="submit" tone="accent" busy={complete.busy} busyText="Saving...">
          Save
        </Button>
      </div>
    </form>
  )
}

/** Returns everything that waits for a decision, in the order of the page. */
function listItems({ authenticator_since, passkeys, identities }: SignInReview): Item[] {
  return [
    ...(authenticator_since === null
      ? []
      : [{ key: 'authenticator', label: `Authenticator app, set up ${formatDate(authenticator_since)}` }]),
    ...passkeys.map(({ id, name, created_at }) => ({
      key: `passkey-${id}`,
      label: `Passkey “${name}”, added ${formatDate(created_at)}`,
    })),
    ...identities.map(({ id, issuer, email, created_at }) => ({
      key: `identity-${id}`,
      label: `Account at ${issuer}${email === null ? '' : ` (${email})`}, linked ${formatDate(created_at)}`,
    })),
  ]
}
