DROP TRIGGER previews_emptied ON proposals;
DROP FUNCTION empty_preview();
DROP TABLE previews;
