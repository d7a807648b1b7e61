import { textLinkClass } from '../../../shared/pages/account-page.tsx'
import { SettingsGroup } from '../../../shared/pages/settings-panel.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'

/** Shows a command line that uses a token and works as it is. */
export function TokenExample() {
  const command = `curl -H "Authorization: Bearer $TOKEN" ${window.location.origin}/api/collections/`
  return (
    <SettingsGroup
      title="Use a token"
      lead={
        <>
          Send the token in the Authorization header. See the{' '}
          <a href="/api/docs" className={textLinkClass}>
            API documentation
          </a>
          .
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-2 rounded-card border border-line bg-sunken py-2 pr-2 pl-4">
        <code className="min-w-48 flex-1 py-1 font-mono text-13 wrap-anywhere text-ink">{command}</code>
        <CopyButton size="sm" tone="quiet" text={command} />
      </div>
    </SettingsGroup>
  )
}
