-- The videos that a user continues to watch, latest first, for the home page.
create index playback_positions_by_time on playback_positions (user_id, updated_at desc, video_id desc);
