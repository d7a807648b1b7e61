import { SkeletonGrid, SkeletonLine } from '../../../ui/skeleton.tsx'

/** A placeholder while a profile loads. */
export function ProfileSkeleton() {
  return (
    <div className="page pt-5 sm:pt-8">
      <div className="flex items-center gap-4 sm:gap-8">
        <div aria-hidden="true" className="skeleton size-20 shrink-0 rounded-full! sm:size-24" />
        <div className="flex flex-1 flex-col gap-3">
          <SkeletonLine className="h-8 w-48 max-w-full" />
          <p role="status" className="text-14 text-quiet">
            Loading profile...
          </p>
        </div>
      </div>
      <div className="mt-16">
        <SkeletonGrid label="Loading bookmarks" />
      </div>
    </div>
  )
}
