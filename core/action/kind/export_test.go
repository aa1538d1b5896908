package kind

// Notations gives the table of notations to the tests that also need what pairs arguments.
var Notations = notations
