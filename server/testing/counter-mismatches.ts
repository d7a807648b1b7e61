/** Checks that everything maintained by triggers matches the rows it is derived from. */
import type { TestApp } from './test-app.ts'

/** Returns the rows whose derived values are wrong; an empty result means that all are right. */
export async function counterMismatches(site: TestApp) {
  return site.db`
    with states as (
      select b.id, b.user_id, b.video_id, b.tags, b.access = 'public' and c.access = 'public' and b.deleted_at is null and b.held_for is null as public,
             v.status = 'visible' as shown, v.orientation, b.is_public, b.is_visible, b.is_listed,
             b.orientation as copied, v.lead_bookmark_id
        from bookmarks b join collections c on c.id = b.collection_id join videos v on v.id = b.video_id
    ), leads as (select video_id, min(id) as lead, count(distinct user_id) as savers from states where public group by 1)
    select 'publicity' as what, id from states where public <> is_public
    union all select 'visibility', id from states where (public and shown) <> is_visible
    union all select 'orientation', id from states where orientation <> copied
    union all select 'listing', s.id from states s left join leads l using (video_id)
      where s.is_listed <> (s.public and s.shown and s.id = l.lead)
    union all select 'lead', v.id from videos v left join leads l on l.video_id = v.id
      where v.lead_bookmark_id is distinct from l.lead
    union all select 'saves', v.id from videos v left join leads l on l.video_id = v.id
      where v.saves_count <> coalesce(l.savers, 0)
    union all select 'tag', t.id from tags t
      where t.uses_count <> (select count(*) from states where is_listed and t.name = any (tags))
    union all select 'missing tag', s.id from states s, unnest(s.tags) tag where tag not in (select name from tags)
    union all select 'one listed lead', v.id from videos v join leads l on l.video_id = v.id
      where (v.status = 'visible') <> ((select count(*) from bookmarks b where b.video_id = v.id and b.is_listed) = 1)
    union all select 'words', b.id from bookmarks b
      where b.is_listed and exists (select from unnest(tsvector_to_array(b.search)) word
                                     where word ~ '^[[:alpha:]]{4,30}$' and word not in (select word from search_words))
    union all select 'likes', v.id from videos v
      where v.likes_count <> (select count(*) from likes l where l.video_id = v.id)
    union all select 'comments', v.id from videos v
      where v.comments_count <> (select count(*) from comments c where c.video_id = v.id and c.parent_id is null
                                                                   and c.status = 'visible')
    union all select 'replies', c.id from comments c
      where c.replies_count <> (select count(*) from comments r where r.parent_id = c.id and r.status = 'visible')
    union all select 'followers', u.id from users u
      where u.followers_count <> (select count(*) from follows f where f.followee_id = u.id)
    union all select 'following', u.id from users u
      where u.following_count <> (select count(*) from follows f where f.follower_id = u.id)`
}
