-- When the user opened the link in the confirmation mail. Null: the address is not confirmed.
alter table users add email_confirmed_at timestamptz;
