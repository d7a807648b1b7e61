-- Videos that turned out to be the same (docs/decisions/0079-duplicate-videos.md).

-- Videos whose bookmarks, likes and everything else a job moves to another video. When nothing is left, it deletes the video.
create table video_merges (
  video_id bigint primary key references videos on delete cascade,
  survivor_id bigint not null references videos on delete cascade,
  -- When nothing was left to move. What a request that had begun before added since is moved before the video is deleted.
  emptied_at timestamptz,
  constraint video_merges_are_of_two_videos check (video_id <> survivor_id)
);
create index video_merges_survivor on video_merges (survivor_id);

-- Bookmarks that were merged with another one of the same user, which their addresses lead to. The merged one is in the trash
-- and then deleted, so that it is not referenced.
create table merged_bookmarks (
  id bigint primary key,
  bookmark_id bigint not null references bookmarks on delete cascade,
  -- Whether the same users could see both. If not, the address of the merged one leads only the owner to the other one.
  is_for_same_viewers boolean not null
);
create index merged_bookmarks_of_bookmark on merged_bookmarks (bookmark_id);

-- Up to which video the canonical links were compared with the rules that recognise links.
create table link_scan (
  is_only_row boolean primary key default true check (is_only_row),
  -- What the rules are identified by (server/core/video-links/rules-version.ts).
  rules_version text not null,
  last_video_id bigint not null default 0,
  is_finished boolean not null default false
);
