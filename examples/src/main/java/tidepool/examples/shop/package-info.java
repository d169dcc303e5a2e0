/** The program of the tutorial: a shop with customers, products, stock and orders. */
package tidepool.examples.shop;
