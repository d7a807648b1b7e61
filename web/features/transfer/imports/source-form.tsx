import { importFromUrl } from '@reelmark/contract/imports.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { importQuery, importsQuery } from '../queries.ts'

/** A form for the address of a list of videos. It opens the page of the import, which shows when the address is read. */
export function SourceForm() {
  const client = useQueryClient()
  const { history } = useRouter()
  const form = useApiForm(importFromUrl, {
    fields: ['url'],
    validate: ({ url }) => (url.trim() === '' ? { url: 'Enter the address of a list of videos.' } : {}),
    toInput: ({ url }) => ({ body: { url: url.trim() } }),
    onSuccess(created) {
      client.setQueryData(importQuery(created.id).queryKey, created)
      void client.invalidateQueries(importsQuery)
      history.push(`/settings/data/imports/${created.id}`)
    },
  })
  return (
    <form {...form.props} className="flex flex-col gap-3">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      <Field
        label="Web address"
        hint="Of a playlist, channel, collection, feed, or any page with videos. YouTube lists only the latest 15 videos in this way."
        error={form.fieldErrors.url}
      >
        <Input
          aria-required
          name="url"
          type="text"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={limits.urlMax}
          placeholder="https://"
        />
      </Field>
      <Button type="submit" busy={form.busy} busyText="Opening..." className="self-start">
        Find videos
      </Button>
    </form>
  )
}
