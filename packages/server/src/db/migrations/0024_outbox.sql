CREATE TABLE "outbox_epoch" (
	"epoch" integer PRIMARY KEY NOT NULL,
	"system_identifier" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox_reader" (
	"name" text PRIMARY KEY NOT NULL,
	"epoch" integer NOT NULL,
	"tx_id" bigint NOT NULL,
	"entry_id" bigint NOT NULL,
	"holder" text,
	"held_until" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "activity" ADD COLUMN "epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "activity" ADD COLUMN "tx_id" bigint DEFAULT pg_current_xact_id()::text::bigint NOT NULL;--> statement-breakpoint
CREATE INDEX "activity_outbox" ON "activity" USING btree ("epoch","tx_id","id");--> statement-breakpoint
CREATE OR REPLACE FUNCTION activity_chain() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  previous activity;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    RAISE EXCEPTION 'The activity log is append-only' USING ERRCODE = 'restrict_violation';
  END IF;
  NEW.epoch := coalesce((SELECT max(epoch) FROM outbox_epoch), 0);
  NEW.tx_id := pg_current_xact_id()::text::bigint;
  IF NEW.safe_address IS NULL THEN
    RETURN NEW;
  END IF;
  -- One at a time for a Safe, until the transaction ends: who comes next must see this entry.
  PERFORM pg_advisory_xact_lock(hashtextextended(NEW.chain_id || encode(NEW.safe_address, 'hex'), 4100));
  NEW.id := nextval('activity_id_seq');
  SELECT * INTO previous FROM activity
    WHERE chain_id = NEW.chain_id AND safe_address = NEW.safe_address ORDER BY id DESC LIMIT 1;
  NEW.previous_hash := coalesce(previous.hash, decode(repeat('00', 32), 'hex'));
  NEW.hash := sha256(NEW.previous_hash || convert_to(activity_text(NEW), 'UTF8'));
  -- Readers go by the transaction. One that began earlier and logs later must not come before what it follows.
  IF previous.epoch = NEW.epoch THEN
    NEW.tx_id := greatest(NEW.tx_id, previous.tx_id);
  END IF;
  RETURN NEW;
END
$$;
