-- Privacy settings and links of unlisted collections (docs/decisions/0052-privacy-settings.md).

alter table users
  add column default_bookmark_access text not null default 'public' check (default_bookmark_access in ('public', 'private')),
  add column profile_visibility text not null default 'everyone' check (profile_visibility in ('everyone', 'members', 'only_me')),
  add column likes_visibility text not null default 'everyone' check (likes_visibility in ('everyone', 'members', 'only_me')),
  add column following_visibility text not null default 'everyone' check (following_visibility in ('everyone', 'members', 'only_me')),
  add column followers_visibility text not null default 'everyone' check (followers_visibility in ('everyone', 'members', 'only_me')),
  add column collector_visibility text not null default 'members' check (collector_visibility in ('members', 'only_me')),
  -- Whether the numbers that others see include adult items.
  add column counts_adult boolean not null default false;

-- The order of searches and suggestions. A hidden number of followers must not show in the order either.
alter table users add column shown_followers_count integer not null generated always as (
  case when profile_visibility = 'everyone' and followers_visibility = 'everyone' then followers_count else 0 end) stored;
drop index users_popular;
create index users_popular on users (shown_followers_count desc, id) where banned_at is null;
-- Suggestions of profiles that only members see, which are not in the responses that visitors share.
create index users_words_of_members on users using gin (username_words) with (fastupdate = off)
  where banned_at is null and profile_visibility = 'members';

-- Visible bookmarks that are not adult, as counted by a job: the number that searches for users show.
alter table collections add column visible_sfw_count integer not null default 0 check (visible_sfw_count >= 0);

-- Gets the visibility of the owner's profile, which decides whether the owner's name finds the bookmark (functions/search.sql).
drop function if exists bookmark_search_vector(text, text, text[], text, text);

-- The secret link of a collection. A private collection with a link is unlisted: everyone with the link sees it.
create table collection_links (
  collection_id bigint primary key references collections on delete cascade,
  -- Hash of the secret, by which it is looked up.
  hash bytea not null unique check (length(hash) = 32),
  -- The secret, encrypted, so that the owner can copy the link again.
  secret bytea not null,
  -- Whether the link also shows bookmarks whose own access is private.
  shows_private boolean not null,
  created_at timestamptz not null default now()
);
