/**
 * SmallBank for foreign stores. A store implements {@link tidepool.bench.smallbank.Bank} and
 * {@link tidepool.bench.smallbank.Teller}; {@link tidepool.bench.smallbank.BankContender} lets it race.
 */
package tidepool.bench.smallbank;
