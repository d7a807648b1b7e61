-- Notifications of comments and mentions, and a switch per kind for the bell and for mail. Existing users get the mails
-- that they got: about the kinds that they did not turn off.
alter table users
  add column notify_on_reply boolean not null default true,
  add column notify_on_comment boolean not null default true,
  add column notify_on_mention boolean not null default true,
  add column mail_on_follow boolean not null default true,
  add column mail_on_own_video_bookmarked boolean not null default true,
  add column mail_on_own_video_liked boolean not null default true,
  add column mail_on_reply boolean not null default true,
  add column mail_on_comment boolean not null default true,
  add column mail_on_mention boolean not null default true,
  add column mail_on_new_bookmark_from_followed_user boolean not null default true;
update users
   set mail_on_follow = notify_on_follow, mail_on_own_video_bookmarked = notify_on_own_video_bookmarked,
       mail_on_own_video_liked = notify_on_own_video_liked,
       mail_on_new_bookmark_from_followed_user = notify_on_new_bookmark_from_followed_user
 where not (notify_on_follow and notify_on_own_video_bookmarked and notify_on_own_video_liked
            and notify_on_new_bookmark_from_followed_user);

-- Whether the bell and the digests contain it, as the user chose when it was written.
alter table notifications
  add column in_bell boolean not null default true,
  add column in_mail boolean not null default true,
  drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in
    ('follow', 'own_video_bookmarked', 'own_video_liked', 'reply', 'comment', 'mention', 'report_decided', 'moderation'));
