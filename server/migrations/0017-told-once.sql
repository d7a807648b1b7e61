-- What somebody was told and has read: the same deed of the same person is not told again while that is kept.
create index notifications_read on notifications (user_id, kind, video_id) where read_at is not null;
