import { createContext, useContext } from 'react';
import type { Values } from './form-input.js';

/** All values of the form, for controls whose choices depend on another one. */
export const FormValuesContext = createContext<Values>({});

export const useFormValues = (): Values => useContext(FormValuesContext);
