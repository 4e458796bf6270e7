import { z } from 'zod';

export const LocationValue = z
  .object({
    lat: z.number().meta({ description: 'Latitude, -90 to 90.' }),
    lng: z.number().meta({ description: 'Longitude, -180 to 180.' }),
  })
  .meta({ id: 'LocationValue', description: 'A place on Earth in degrees (WGS 84).' });
