/**
 * Access to the inside of pools, for simulations, tools and authors of protocols. Unstable: it changes with the modules
 * {@code tidepool.store}, {@code tidepool.protocol} and {@code tidepool.fabric}, whose types it uses. Applications need
 * {@code tidepool} and {@code tidepool.schema} alone.
 */
package tidepool.spi;
