-- How many comments on a video are of people whom a block keeps apart from whoever looks: a look for each of those.
create index comments_of_person on comments (video_id, user_id) where parent_id is null and status = 'visible';
