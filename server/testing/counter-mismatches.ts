/** Compares the columns that triggers maintain with the values computed from the rows they count. */
import type { TestApp } from './test-app.ts'

/** Returns the rows whose maintained columns are wrong; none if the triggers work. */
export async function counterMismatches(site: TestApp) {
  return site.db`
    with states as (
      select b.id, b.user_id, b.video_id, b.tags, b.created_at, b.deleted_at, v.status = 'visible' as shown,
             -- A job hides or shows the bookmarks of a banned user some time after the ban.
             case when u.banned_at is not null then b.is_public
                  else b.access = 'public' and c.access = 'public' and b.deleted_at is null and b.hold_reason is null
             end as public,
             coalesce(v.orientation_ruling, b.orientation) as orientation, b.is_public, b.is_visible, b.is_listed,
             coalesce(b.duration, v.duration) as duration, b.effective_duration, b.lead_duration,
             b.effective_orientation, b.lead_bookmark_id, b.lead_created_at, b.lead_orientation, b.random_key
        from bookmarks b join collections c on c.id = b.collection_id join videos v on v.id = b.video_id
        join users u on u.id = b.user_id
    ), leads as (
      select distinct on (video_id) video_id, id as lead, created_at, orientation, duration,
             (select count(distinct user_id) from states s where s.video_id = states.video_id and s.public) as savers
        from states where public order by video_id, id
    )
    select 'publicity' as what, id from states where public <> is_public
    union all select 'visibility', id from states where (public and shown) <> is_visible
    union all select 'orientation', id from states where orientation <> effective_orientation
    union all select 'duration', id from states where duration is distinct from effective_duration
    union all select 'listing', s.id from states s left join leads l using (video_id)
      where s.is_listed <> (s.public and s.shown and s.id = l.lead)
    union all select 'copies of the lead', s.id from states s left join leads l using (video_id)
      where (s.lead_bookmark_id, s.lead_created_at, s.lead_orientation, s.lead_duration) is distinct from
            (case when s.public and s.shown then l.lead end, case when s.public and s.shown then l.created_at end,
             case when s.public and s.shown then l.orientation end, case when s.public and s.shown then l.duration end)
    union all select 'random position', s.id from states s
      where exists (select from states o where o.video_id = s.video_id and o.random_key <> s.random_key)
    union all select 'lead', v.id from videos v left join leads l on l.video_id = v.id
      where v.lead_bookmark_id is distinct from l.lead
    union all select 'saves', v.id from videos v left join leads l on l.video_id = v.id
      where v.saves_count <> coalesce(l.savers, 0)
    union all select 'tag', tag_id(t.name) from tags t
      where t.uses_count <> (select count(*) from states where public and shown and t.name = any (tags))
    union all select 'missing tag', s.id from states s, unnest(s.tags) tag
      where public and shown and tag not in (select name from tags)
    union all select 'unused tag', tag_id(name) from tags where uses_count = 0
    union all select 'own tag', coalesce(t.user_id, counted.user_id)
      from user_tags t
      full join (select user_id, tag as name, count(*) as bookmarks_count from states, unnest(tags) tag
                  where deleted_at is null group by user_id, tag) counted using (user_id, name)
      where t.bookmarks_count is distinct from counted.bookmarks_count
    union all select 'one listed lead', v.id from videos v join leads l on l.video_id = v.id
      where (v.status = 'visible') <> ((select count(*) from bookmarks b where b.video_id = v.id and b.is_listed) = 1)
    union all select 'words', b.id from bookmarks b
      where b.is_visible and exists (select from unnest(tsvector_to_array(b.search_vector)) word
                                      where word ~ '^[[:alpha:]]{4,30}$' and word not in (select word from search_words))
    union all select 'search vector', b.id
      from bookmarks b join videos v on v.id = b.video_id join users u on u.id = b.user_id
      where b.search_vector <> bookmark_search_vector(b.title, b.description, b.tags, u.username, u.profile_visibility, v.host,
                                                       coalesce(b.uploader_name, v.uploader_name))
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
