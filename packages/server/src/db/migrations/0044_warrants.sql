CREATE TABLE "warrant" (
	"id" text PRIMARY KEY NOT NULL,
	"chain_id" bigint NOT NULL,
	"account" "bytea" NOT NULL,
	"signers" "bytea"[] NOT NULL,
	"signed_hash" "bytea" NOT NULL,
	"signature" "bytea" NOT NULL,
	"user_agent" text,
	"client_address" text,
	"is_framed" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"checked_at" timestamp with time zone NOT NULL,
	"refused_at" timestamp with time zone,
	"refused_block" bigint,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "warrant_ground" (
	"warrant_id" text NOT NULL,
	"chain_id" bigint NOT NULL,
	"safe_address" "bytea" NOT NULL,
	"authority" "bytea" NOT NULL,
	"block_number" bigint NOT NULL,
	"seen_authority" "bytea" NOT NULL,
	"seen_block" bigint NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "warrant_ground_warrant_id_safe_address_pk" PRIMARY KEY("warrant_id","safe_address")
);
--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "revoked_by" "bytea";--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "warrant_id" text;--> statement-breakpoint
ALTER TABLE "waiting_sign_in" ADD COLUMN "refusal" text;--> statement-breakpoint
ALTER TABLE "api_token" ADD COLUMN "warrant_id" text;--> statement-breakpoint
ALTER TABLE "delegate" ADD COLUMN "warrant_id" text;--> statement-breakpoint
ALTER TABLE "viewer" ADD COLUMN "warrant_id" text;--> statement-breakpoint
ALTER TABLE "webhook" ADD COLUMN "warrant_id" text;--> statement-breakpoint
ALTER TABLE "warrant_ground" ADD CONSTRAINT "warrant_ground_warrant_id_warrant_id_fk" FOREIGN KEY ("warrant_id") REFERENCES "public"."warrant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "warrant_checked" ON "warrant" USING btree ("checked_at") WHERE "warrant"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "warrant_account" ON "warrant" USING btree ("chain_id","account");--> statement-breakpoint
CREATE INDEX "warrant_ground_safe" ON "warrant_ground" USING btree ("chain_id","safe_address");--> statement-breakpoint
ALTER TABLE "session" ADD CONSTRAINT "session_warrant_id_warrant_id_fk" FOREIGN KEY ("warrant_id") REFERENCES "public"."warrant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_token" ADD CONSTRAINT "api_token_warrant_id_warrant_id_fk" FOREIGN KEY ("warrant_id") REFERENCES "public"."warrant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delegate" ADD CONSTRAINT "delegate_warrant_id_warrant_id_fk" FOREIGN KEY ("warrant_id") REFERENCES "public"."warrant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "viewer" ADD CONSTRAINT "viewer_warrant_id_warrant_id_fk" FOREIGN KEY ("warrant_id") REFERENCES "public"."warrant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_warrant_id_warrant_id_fk" FOREIGN KEY ("warrant_id") REFERENCES "public"."warrant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "session_warrant" ON "session" USING btree ("warrant_id") WHERE "session"."warrant_id" is not null;--> statement-breakpoint
CREATE INDEX "api_token_warrant" ON "api_token" USING btree ("warrant_id") WHERE "api_token"."warrant_id" is not null;--> statement-breakpoint
CREATE INDEX "delegate_warrant" ON "delegate" USING btree ("warrant_id") WHERE "delegate"."warrant_id" is not null;--> statement-breakpoint
CREATE INDEX "viewer_warrant" ON "viewer" USING btree ("warrant_id") WHERE "viewer"."warrant_id" is not null;--> statement-breakpoint
CREATE INDEX "webhook_warrant" ON "webhook" USING btree ("warrant_id") WHERE "webhook"."warrant_id" is not null;--> statement-breakpoint
-- Since when what a warrant rests on is not what it was; null: it is. A change that was taken back is told by the history.
CREATE OR REPLACE FUNCTION warrant_suspended_since(warrant_id text) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT min(since) FROM (
      SELECT w.refused_at AS since FROM warrant w WHERE w.id = $1
      UNION ALL
      SELECT g.seen_at FROM warrant_ground g WHERE g.warrant_id = $1 AND g.seen_authority <> g.authority
      UNION ALL
      SELECT h.block_time FROM warrant_ground g
      JOIN history_entry h ON h.chain_id = g.chain_id AND h.safe_address = g.safe_address
        AND h.kind IN ('owner-added', 'owner-removed', 'threshold-changed', 'module-enabled', 'module-disabled',
          'fallback-handler-changed', 'singleton-changed')
        AND h.block_number > g.block_number
      WHERE g.warrant_id = $1
    ) AS differing
  );
END $$;
--> statement-breakpoint
-- Whether what rests on a warrant is good now. Nothing rests on one that is not there.
CREATE OR REPLACE FUNCTION warrant_stands(warrant_id text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM warrant w WHERE w.id = $1 AND w.ended_at IS NULL) AND warrant_suspended_since($1) IS NULL;
END $$;
--> statement-breakpoint
-- Which owners signed for these is not known any more, so nothing could tell that they are others.
DELETE FROM "session" WHERE "proven_by" = 'contract';
--> statement-breakpoint
DELETE FROM "api_token" WHERE "proven_by" = 'contract';
