CREATE TABLE "team_draft" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"chain_id" bigint NOT NULL,
	"safe_address" "bytea" NOT NULL,
	"author" "bytea" NOT NULL,
	"name" text NOT NULL,
	"content" text NOT NULL,
	"is_template" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "team_draft_safe" ON "team_draft" USING btree ("chain_id","safe_address","id");