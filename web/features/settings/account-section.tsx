import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../session.ts'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { DeleteAccountGroup } from './delete-account.tsx'
import { EmailGroup } from './email-group.tsx'
import { PasswordGroup, SetPasswordGroup } from './password-group.tsx'
import { securityQuery } from './queries.ts'
import { Group, LoadFailed, Section } from './section.tsx'

export function AccountSection() {
  const security = useQuery(securityQuery)
  const { username } = useSession()
  return (
    <Section title="Account" lead="Manage your username, email and password.">
      <Group title="Username" lead="Your username is part of your profile link and can't be changed.">
        <p className="text-16 font-medium text-ink">{username}</p>
      </Group>
      {security.isPending ? (
        <>
          <Group title="Email">
            <Waiting />
          </Group>
          <Group title="Password">
            <Waiting />
          </Group>
        </>
      ) : security.isError ? (
        <Group title="Email and password">
          <LoadFailed what="your email and password settings" onRetry={() => void security.refetch()} />
        </Group>
      ) : (
        <>
          <EmailGroup security={security.data} />
          {security.data.has_password ? <PasswordGroup /> : <SetPasswordGroup email={security.data.email} />}
        </>
      )}
      <DeleteAccountGroup hasPassword={security.data?.has_password ?? true} />
    </Section>
  )
}

function Waiting() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-3">
      <SkeletonLine className="w-64 max-w-full" />
      <SkeletonLine className="h-10 w-36" />
    </div>
  )
}
