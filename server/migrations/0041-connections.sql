-- Programs that users connected (docs/decisions/0064-connections.md).

alter table access_tokens
  -- SHA-256 of the code that a program exchanged for the token. Null: the user created the token.
  add column code_hash bytea check (length(code_hash) = 32);
-- A second use of the code deletes the token.
create unique index access_tokens_of_code on access_tokens (code_hash) where code_hash is not null;
