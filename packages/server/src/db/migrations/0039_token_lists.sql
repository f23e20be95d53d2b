CREATE TABLE "token_list" (
	"id" "bytea" PRIMARY KEY NOT NULL,
	"content" text,
	"etag" text,
	"fetched_at" timestamp with time zone,
	"confirmed_at" timestamp with time zone,
	"tried_at" timestamp with time zone NOT NULL,
	"fault" text,
	"fault_detail" text
);
